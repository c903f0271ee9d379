import { onRequest } from 'firebase-functions/https';
import { loadLocalEnvironment, SECRETS } from './config';
import { type Container, createContainer } from './container';
import { keepBodiesFromFramework } from './http/body';
import { sweepExpired } from './usage/sweep';

keepBodiesFromFramework();

let container: Container | undefined;

/** Made with the first request: at deployment the module is loaded without its secrets. */
function services(): Container {
  if (container) return container;
  if (!process.env['K_SERVICE']) loadLocalEnvironment(process.cwd());
  container = createContainer();
  const { store, clock, log } = container;
  // What a crash left open is settled as soon as a process is back; nobody waits for it.
  sweepExpired(store, clock).then((records) => records > 0 && log.swept(records), log.sweepFailed);
  return container;
}

/** The whole API: one public HTTPS function that routes `/v1/*` itself; callers are known by their bearer key. */
export const api = onRequest(
  { timeoutSeconds: 540, concurrency: 80, invoker: 'public', secrets: SECRETS, memory: '512MiB' },
  (req, res) => services().app(req, res),
);
