import { constants } from 'node:os';
import type { Clock } from './clock';
import type { Log } from './log';

/** Work under way in a process; once it is to end nothing new is begun, and the end waits for what runs. */
export class OpenWork {
  readonly #stop = new AbortController();
  readonly #over = Promise.withResolvers<void>();
  #count = 0;

  /** Aborted once the process is to end. */
  get stopping(): AbortSignal {
    return this.#stop.signal;
  }

  get count(): number {
    return this.#count;
  }

  /** Notes that something begins; call what it returns, once, when that is over. */
  begin(): () => void {
    this.#count += 1;
    return () => {
      this.#count -= 1;
      this.#endWhenOver();
    };
  }

  /** Does some work that the end of the process waits for. Rejects when the process is to end already. */
  async during<T>(work: () => Promise<T>): Promise<T> {
    this.stopping.throwIfAborted();
    const end = this.begin();
    try {
      return await work();
    } finally {
      end();
    }
  }

  /** Asks everything to stop; resolves once nothing is under way any more. */
  stop(): Promise<void> {
    this.#stop.abort();
    this.#endWhenOver();
    return this.#over.promise;
  }

  #endWhenOver(): void {
    if (this.#count === 0 && this.stopping.aborted) this.#over.resolve();
  }
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

/** Ends the process at a signal with 0, at a second one at once, after an uncaught exception with 1. */
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
