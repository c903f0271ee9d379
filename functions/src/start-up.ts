/* Start and end of a process, the same behind both doors. */

import { constants } from 'node:os';
import type { Config } from './config';
import { type Clock, systemClock } from './lib/clock';
import type { Log } from './lib/log';
import type { OpenWork } from './lib/open-work';
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

/** Opens the services; throws a `SettingsError` where they could answer no request. */
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

/** Signals of an end: the platform sends SIGTERM, a terminal SIGINT (Ctrl-C) and SIGHUP (closed). */
export const END_SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;

/** Work that is not over by then is left to the sweep: the platform kills an instance ten seconds after its SIGTERM. */
const PATIENCE_MS = 8_000;
/** A signal this soon after the first is the same one: a terminal sends Ctrl-C to each process, and each passes it on. */
const ECHO_MS = 500;

interface EndOptions {
  readonly openWork: OpenWork;
  readonly clock: Clock;
  readonly log: Log;
  /** Node's `process`, or what stands for it. */
  readonly process: Pick<NodeJS.Process, 'on' | 'exit'>;
  /** Work that remains once all other is over; it has what is left of the eight seconds. */
  readonly flush?: () => Promise<void>;
}

/** Ends the process at a signal with 0, at a second one at once, after an uncaught exception with 1. @internal */
export function endOnSignals({ openWork, clock, log, process, flush = async () => {} }: EndOptions): void {
  let endingSinceMs: number | undefined;
  const end = async (cause: string, exitCode: number): Promise<void> => {
    endingSinceMs = clock.nowMs();
    log.info('shutting down', { signal: cause, open: openWork.count });
    const { promise: tooLate, resolve: giveUp } = Promise.withResolvers<void>();
    clock.after(PATIENCE_MS, giveUp);
    const flushed = openWork
      .stop()
      .then(flush)
      .catch((error: unknown) => log.warn('telemetry not sent', {}, error));
    await Promise.race([flushed, tooLate]);
    const fields = { open: openWork.count, durationMs: clock.nowMs() - endingSinceMs };
    if (openWork.count > 0) log.warn('shut down with work left to the sweep', fields);
    else log.info('shut down', fields);
    process.exit(exitCode);
  };
  for (const signal of END_SIGNALS) {
    process.on(signal, () => {
      if (endingSinceMs === undefined) void end(signal, 0);
      else if (clock.nowMs() - endingSinceMs >= ECHO_MS) process.exit(128 + constants.signals[signal]);
    });
  }
  process.on('uncaughtException', (error) => {
    log.error('uncaught exception', {}, error);
    if (endingSinceMs === undefined) void end('uncaughtException', 1);
  });
}
