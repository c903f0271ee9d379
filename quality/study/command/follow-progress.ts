import type { FinishedRun } from '../finished-run.ts';
import type { Gate, Wallet } from '../run/gate.ts';
import { Stopped } from '../service/client.ts';
import { formatUsd } from './options.ts';

/** A study that is played, to be shown and stopped. */
export interface UnderWay {
  readonly gate: Gate;
  readonly wallet: Wallet;
  readonly runs: ReadonlyMap<string, FinishedRun>;
  readonly maxNanoUsd: number;
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
/** A terminal tells this process and the one that has started it, which passes it on. */
const SAME_SIGNAL_MS = 500;
/** Runs for each line where there is no terminal. */
const LINE_EVERY = 50;

/** Shows how far a study is, and ends it in good order when it is told to; at once when it is told so again. */
export function followProgress({
  gate,
  wallet,
  runs,
  maxNanoUsd,
}: UnderWay): Disposable & { readonly told: () => void } {
  const isTerminal = process.stderr.isTTY;
  let stoppedAtMs: number | undefined;
  const end = (): void => {
    if (stoppedAtMs !== undefined && performance.now() - stoppedAtMs > SAME_SIGNAL_MS) process.exit(130);
    if (stoppedAtMs !== undefined) return;
    stoppedAtMs = performance.now();
    console.error('\nRuns that are under way are finished first; once more ends them, too.');
    gate.stop(new Stopped('interrupted', 'Interrupted: the same command goes on from here.'));
  };
  for (const signal of SIGNALS) process.on(signal, end);
  const told = (): void => {
    const line = `${runs.size} runs, ${formatUsd(Math.ceil(wallet.spentNanoUsd / 100_000) * 100_000)} of ${formatUsd(maxNanoUsd)}`;
    if (isTerminal) process.stderr.write(`\r${line} `);
    else if (runs.size % LINE_EVERY === 0) console.error(line);
  };
  return {
    told,
    [Symbol.dispose]: () => {
      for (const signal of SIGNALS) process.off(signal, end);
      if (isTerminal) process.stderr.write('\n');
    },
  };
}
