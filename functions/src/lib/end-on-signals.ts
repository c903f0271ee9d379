import { constants } from 'node:os';
import type { Clock } from './clock';
import { takeFrameworkListeners } from './framework-listeners';
import type { Log } from './log';
import type { OpenWork } from './open-work';

/** The platform sends SIGTERM, a terminal SIGINT (Ctrl-C) and SIGHUP (closed). */
const SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;
type EndSignal = (typeof SIGNALS)[number];

/** Work that is not over by then is left to the sweep: the platform kills an instance ten seconds after its SIGTERM. */
const PATIENCE_MS = 8_000;
/**
 * What follows the first signal this soon is the same one: a terminal sends Ctrl-C to every process of a command, and
 * each of them passes it on.
 */
const ECHO_MS = 500;

interface EndOptions {
  readonly openWork: OpenWork;
  readonly clock: Clock;
  readonly log: Log;
  /** Node's `process`, or what stands for it. */
  readonly process: Pick<NodeJS.Process, 'on' | 'off' | 'exit'>;
  /** What is still to be done once the work is over; it has what is left of the eight seconds. */
  readonly flush?: () => Promise<void>;
}

/**
 * Ends the process when it is told to: open work is asked to stop and waited for, at most eight seconds, then the
 * process exits with 0. A second signal ends it at once. The listeners of the Functions Framework, which would do that
 * at the first, are taken off as they are added.
 */
export function endOnSignals({ openWork, clock, log, process, flush = async () => {} }: EndOptions): void {
  let toldAtMs: number | undefined;
  const end = async (signal: EndSignal): Promise<void> => {
    const nowMs = clock.nowMs();
    if (toldAtMs !== undefined) {
      if (nowMs - toldAtMs >= ECHO_MS) process.exit(128 + constants.signals[signal]);
      return;
    }
    toldAtMs = nowMs;
    log.info('shutting down', { signal, open: openWork.count });
    const { promise: tooLate, resolve: giveUp } = Promise.withResolvers<void>();
    clock.after(PATIENCE_MS, giveUp);
    const flushed = openWork
      .stop()
      .then(flush)
      .catch((error: unknown) => log.warn('telemetry not sent', {}, error));
    await Promise.race([flushed, tooLate]);
    const fields = { open: openWork.count, durationMs: clock.nowMs() - nowMs };
    if (openWork.count > 0) log.warn('shut down with work left to the sweep', fields);
    else log.info('shut down', fields);
    process.exit(0);
  };
  for (const signal of SIGNALS) process.on(signal, () => void end(signal));
  takeFrameworkListeners(process, SIGNALS, () => undefined);
}
