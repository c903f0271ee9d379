import { createInterface } from 'node:readline/promises';
import type { FinishedRun } from '../finished-run.ts';
import type { Gate, Wallet } from '../run/gate.ts';
import type { Remaining } from '../run/prices.ts';
import { Stopped } from '../service/client.ts';
import { formatUsd, type StudyOptions, UsageError } from './options.ts';

/** The forecast that is shown before anything is called. */
export interface Told {
  readonly remaining: Remaining;
  readonly unpricedModels: readonly string[];
  /** Models and arms whose servers tell no price beforehand. */
  readonly untoldArms: readonly string[];
  readonly spentNanoUsd: number;
}

/** Tells what the study is likely to cost, and asks whether it may begin; throws where nobody has said so. */
export async function confirmPrice(study: StudyOptions, told: Told): Promise<void> {
  const { isConfirmed } = study;
  for (const line of priceLines(told, study)) console.error(line);
  if (isConfirmed || told.remaining.runs === 0) return;
  if (!process.stdin.isTTY || !process.stderr.isTTY)
    throw new UsageError(
      'Nothing was called: there is no terminal to ask at, so --yes must say that the price is agreed to',
    );
  const reader = createInterface({ input: process.stdin, output: process.stderr });
  try {
    if (!/^y(es)?$/i.test((await reader.question('Begin? (y/N) ')).trim())) throw new UsageError('Nothing was called.');
  } finally {
    reader.close();
  }
}

function priceLines(told: Told, { maxNanoUsd, strategies, callNanoUsd }: StudyOptions): string[] {
  const { remaining, unpricedModels, untoldArms, spentNanoUsd } = told;
  const { lowNanoUsd, highNanoUsd } = remaining.price;
  const cents = (nanoUsd: number): string => formatUsd(roundedUp(nanoUsd));
  return [
    strategies.length === 0
      ? `${remaining.runs} runs.`
      : `${remaining.runs} runs, and as many samples of the best single model as the dearest strategy costs.`,
    untoldArms.length > 0
      ? `A call counts as ${formatUsd(callNanoUsd)} (--usd-per-call), or as its server tells afterwards: ${untoldArms.join(', ')}.`
      : '',
    lowNanoUsd === highNanoUsd
      ? `They come to ${cents(lowNanoUsd)}.`
      : `Their plans come to ${cents(lowNanoUsd)} with short replies and to ${cents(highNanoUsd)} with long ones, which are rare.`,
    spentNanoUsd > 0 ? `Earlier sessions have spent ${cents(spentNanoUsd)}.` : '',
    `Nothing is begun that could pass --max-usd ${formatUsd(maxNanoUsd)}: a study that comes to it is stopped and told as far as it is.`,
    lowNanoUsd + spentNanoUsd > maxNanoUsd
      ? `That will not do even for short replies: ${Math.floor((100 * (maxNanoUsd - spentNanoUsd)) / lowNanoUsd)} % of the --tasks, or fewer --repeats or --strategies, would.`
      : '',
    unpricedModels.length > 0 ? `Without a known price, counted as $0.00: ${unpricedModels.join(', ')}.` : '',
  ].filter((line) => line !== '');
}

/** To a hundredth of a cent. */
function roundedUp(nanoUsd: number): number {
  return Math.ceil(nanoUsd / 100_000) * 100_000;
}

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
