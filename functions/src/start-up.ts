/* What both doors do before their first request. */

import type { Config } from './config';
import { systemClock } from './lib/clock';
import { endOnSignals, type OpenWork } from './lib/open-work';
import { SettingsError } from './lib/settings-reader';
import { createServices, logOf, type Services } from './services';
import { limitWarning } from './store/store-settings';
import { loadTelemetryModule } from './telemetry/telemetry-module';

/** Result of `read`; where settings cannot be used the process ends, with a line for each. */
export function orExit<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    console.error(error.message);
    process.exit(1);
  }
}

/** Loads the telemetry, before anything is asked for a tracer or a meter, and sees to an orderly end of the process. */
export function prepareProcess(config: Config, openWork: OpenWork): void {
  const { telemetryModule } = config;
  const flush = telemetryModule === '' ? undefined : loadTelemetryModule(telemetryModule, process.cwd());
  endOnSignals({ openWork, clock: systemClock, log: logOf(config), process, ...(flush && { flush }) });
}

/** Opens the services of a process that is to answer requests; throws a `SettingsError` when it could answer none. */
export function startServices(config: Config, openWork: OpenWork): Services {
  const services = createServices(config, { openWork });
  if (!config.demoModels && Object.keys(config.providers).length === 0) {
    throw new SettingsError(
      'No model provider is configured: set OPENAI_API_KEY, ANTHROPIC_API_KEY, GEMINI_API_KEY, a base URL of one of them, ' +
        'or an endpoint in MODEL_OVERRIDES',
    );
  }
  // Loads Firestore's client and connects it. Where that fails, the requests will tell.
  if (config.store === 'firestore') services.store.getSubscription('start').catch(() => undefined);
  const warning = limitWarning(config);
  if (warning) services.log.warn(warning, {});
  return services;
}
