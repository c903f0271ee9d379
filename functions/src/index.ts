import { onRequest } from 'firebase-functions/https';
import { loadLocalEnvironment, SECRETS } from './config';
import { type Container, createContainer } from './container';
import { keepBodiesFromFramework } from './http/body';
import { sweepExpired } from './usage/sweep';

keepBodiesFromFramework();

let container: Container | undefined;

function services(): Container {
  container ??= createContainer();
  return container;
}

/** How often what crashed processes left open is looked for, beside once at start-up. */
const SWEEP_EVERY_MS = 120_000;

/** Settles what crashes left open: at start-up, and from time to time for the other processes on the same store. */
function keepSwept(parts: Pick<Container, 'store' | 'clock' | 'log'>): void {
  const { store, clock, log } = parts;
  const again = (): void => {
    clock.after(SWEEP_EVERY_MS, () => keepSwept(parts));
  };
  sweepExpired(store, clock)
    .then((records) => records > 0 && log.swept(records), log.sweepFailed)
    .finally(again);
}

// When the platform only asks which functions there are, it has no secrets and nothing to sweep.
if (process.env['FUNCTIONS_CONTROL_API'] !== 'true') {
  if (!process.env['K_SERVICE']) loadLocalEnvironment(process.cwd());
  keepSwept(services());
}

/** The whole API: one public HTTPS function that routes `/v1/*` itself; callers are known by their bearer key. */
export const api = onRequest(
  { timeoutSeconds: 540, concurrency: 80, invoker: 'public', secrets: SECRETS, memory: '512MiB' },
  (req, res) => services().app(req, res),
);
