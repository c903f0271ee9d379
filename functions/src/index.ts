import { onRequest } from 'firebase-functions/https';
import { onSchedule } from 'firebase-functions/scheduler';
import { loadLocalEnvironment, readConfig, SCALING, SECRETS } from './config';
import { type Container, createContainer, createHousekeeping } from './container';
import { keepBodiesFromFramework } from './http/body';
import { type Housekeeping, keepSwept, reconcileAndLog, sweepAndLog } from './usage/housekeeping';

keepBodiesFromFramework();

let container: Container | undefined;
let housekeeping: Housekeeping | undefined;

function services(): Container {
  container ??= createContainer();
  return container;
}

function housekeepers(): Housekeeping {
  housekeeping ??= createHousekeeping();
  return housekeeping;
}

// When the platform only asks which functions there are, it has no secrets and nothing to sweep.
if (process.env['FUNCTIONS_CONTROL_API'] !== 'true') {
  if (!process.env['K_SERVICE']) loadLocalEnvironment(process.cwd());
  // Beside a store of its own a process is its own sweeper; with Firestore the scheduled functions below do it.
  if (readConfig(process.env).store === 'embedded') keepSwept(services());
  // An instance of `api` that cannot work must not start, or a faulty deployment would replace one that does.
  else if (process.env['FUNCTION_TARGET'] === 'api') services();
}

/** The whole API: one public HTTPS function that routes `/v1/*` itself; callers are known by their bearer key. */
export const api = onRequest(
  { timeoutSeconds: 540, concurrency: 80, invoker: 'public', secrets: SECRETS, memory: '512MiB', ...SCALING },
  (req, res) => services().app(req, res),
);

/** Settles what instances that died left open. Safe beside a settlement that comes late: the store applies one. */
export const sweep = onSchedule(
  { schedule: 'every 2 minutes', timeoutSeconds: 120, memory: '512MiB', maxInstances: 1 },
  () => sweepAndLog(housekeepers()),
);

/** Checks the months of the last two days against the ledger; every difference is an error in the log. */
export const reconcile = onSchedule(
  { schedule: 'every day 03:30', timeZone: 'Etc/UTC', timeoutSeconds: 1800, memory: '512MiB', maxInstances: 1 },
  () => reconcileAndLog(housekeepers()),
);
