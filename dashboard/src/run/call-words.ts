import { usdOfNano } from '../ui/format-number';
import { MS_A_SECOND } from '../ui/time-units';
import type { Tone } from '../ui/tone';
import type { Spend } from './run-events';
import type { Attempt, Call, Round } from './run-state';

/** About so many characters are one token, in most texts. */
const CHARACTERS_A_TOKEN = 4;
/** The least time of which a pace can be told. */
const PACE_MIN_MS = 500;

/** The purposes of calls. */
export const PURPOSES: Readonly<Record<Call['purpose'], string>> = {
  cast: 'Viewpoints',
  plan: 'Plan',
  advise: 'Advice',
  draft: 'Draft',
  revise: 'Revision',
  review: 'Review',
  attack: 'Attack',
  analyse: 'Analysis',
  answer: 'Answer',
  follow_ups: 'Follow-up prompts',
  judge: 'Judgement',
};

const TONES: Readonly<Record<Call['state'], Tone>> = {
  queued: 'neutral',
  running: 'neutral',
  retry: 'warn',
  done: 'good',
  cut: 'warn',
  failed: 'bad',
  spared: 'neutral',
};

/** The state of a call, for people. */
export interface CallWords {
  readonly tone: Tone;
  readonly text: string;
}

/** The state of a call `atMs` into the run. */
export function callWords(call: Call, atMs: number): CallWords {
  return { tone: TONES[call.state], text: textOf(call, atMs) };
}

/** A step of a run, and which of how many rounds it is: “Round 1 of 2: drafts”, “Comparison”. */
export function roundWords({ round, of, label }: Pick<Round, 'round' | 'of' | 'label'>): string {
  return round > 0 ? `Round ${round} of ${of}: ${label}` : label.slice(0, 1).toUpperCase() + label.slice(1);
}

/** The attempt whose text counts. */
export function attemptOf({ attempts }: Call): Attempt | undefined {
  return attempts.at(-1);
}

/** A length of time in seconds, to a tenth below ten: “6.1 s”. */
export function seconds(ms: number): string {
  const length = ms / MS_A_SECOND;
  return `${length < 10 ? length.toFixed(1) : Math.round(length)} s`;
}

/** The payer and the price of what was consumed. */
export function costWords(spend: Spend | undefined, source: 'platform' | 'router' | undefined): string {
  if (!spend) return 'nothing';
  if (source === 'router') return 'billed by your router';
  if (!spend.priced) return 'not priced';
  if (spend.costNanoUsd === 0) return 'nothing';
  return `${usdOfNano(spend.costNanoUsd)}${spend.estimated ? ' (estimated)' : ''}`;
}

function textOf(call: Call, atMs: number): string {
  const attempt = attemptOf(call);
  const why = call.reason === undefined ? '' : `: ${call.reason}`;
  switch (call.state) {
    case 'queued':
      return 'Waiting';
    case 'running':
      return runningText(attempt, atMs);
    case 'retry':
      return `Trying again soon${why}`;
    case 'done':
      return `Done in ${seconds((call.endedAtMs ?? atMs) - (call.attempts[0]?.startedAtMs ?? call.queuedAtMs))}`;
    case 'cut':
      return `Cut off${why}`;
    case 'failed':
      return `Failed${why}`;
    case 'spared':
      return `Not asked${why}`;
  }
}

function runningText(attempt: Attempt | undefined, atMs: number): string {
  if (attempt?.firstAtMs === undefined) return 'Thinking';
  const pace = paceOf(attempt, atMs);
  return pace === undefined ? 'Writing' : `Writing, about ${pace} tokens/s`;
}

/** Tokens a second: estimated from the characters until the attempt is over. */
export function paceOf({ firstAtMs, endedAtMs, text, spend }: Attempt, atMs: number): number | undefined {
  if (firstAtMs === undefined) return undefined;
  const lengthMs = (endedAtMs ?? atMs) - firstAtMs;
  if (lengthMs < PACE_MIN_MS) return undefined;
  const tokens = spend ? spend.completionTokens : text.length / CHARACTERS_A_TOKEN;
  return Math.round(tokens / (lengthMs / MS_A_SECOND));
}
