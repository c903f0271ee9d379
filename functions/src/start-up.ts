import { loadLocalEnvironment, readConfig } from './config';
import { createContainer, createHousekeeping, logOf } from './container';
import { keepBodiesFromFramework } from './http/body';
import { systemClock } from './lib/clock';
import { endOnSignals } from './lib/end-on-signals';
import { lazy } from './lib/lazy';
import { OpenWork } from './lib/open-work';
import { keepSwept } from './usage/housekeeping';

/** What is under way in this process; its end waits for it. */
export const openWork = new OpenWork();

/** What `api` serves with, made on first use. */
export const container = lazy(() => createContainer(readConfig(process.env), { openWork }));

/** What the scheduled functions work with, made on first use. */
export const housekeeping = lazy(() => createHousekeeping());

/** What a process does before its first request. */
export function startUp(): void {
  keepBodiesFromFramework();
  // When the platform only asks which functions there are, it has no secrets and nothing to sweep.
  if (process.env['FUNCTIONS_CONTROL_API'] === 'true') return;
  if (!process.env['K_SERVICE']) loadLocalEnvironment(process.cwd());
  const config = readConfig(process.env);
  endOnSignals({ openWork, clock: systemClock, log: logOf(config), process });
  // Beside a store of its own a process is its own sweeper; with Firestore the scheduled functions do it.
  if (config.store === 'embedded') keepSwept(container());
  // An instance of `api` that cannot work must not start, or a faulty deployment would replace one that does.
  else if (process.env['FUNCTION_TARGET'] === 'api') container();
}
