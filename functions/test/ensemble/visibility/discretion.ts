import type { CallPurpose } from '../../../src/models/model';
import { HISTORY, PROMPT, SAMPLING, SYSTEM } from './conversation';
import { OWN_TITLE, readPrompt } from './read-prompt';
import { members, modelIdOf } from './setup';
import type { HeardCall } from './wave-models';

/** Form in which a reader is shown the caller's instructions: to follow them, or quoted, to judge by them. */
type Shown = 'followed' | 'quoted';
const TO_THE_ARBITER: Partial<Readonly<Record<CallPurpose, Shown>>> = { analyse: 'quoted', answer: 'followed' };
const TO_EVERYBODY: Partial<Readonly<Record<CallPurpose, Shown>>> = {
  ...TO_THE_ARBITER,
  draft: 'followed',
  revise: 'followed',
  cast: 'quoted',
  plan: 'quoted',
  review: 'quoted',
  attack: 'quoted',
  follow_ups: 'quoted',
};
/** Any name of the sixteen models and the arbiter's, and what the engine calls seats and calls. */
const NAMES = new RegExp(
  `${[...members(16), 'umpire'].map((who) => modelIdOf(who)).join('|')}|\\b(?:p\\d+|r\\d+\\.\\w+|arbiter)\\b`,
);

/**
 * Rules broken by a call, of those that hold for every call of every strategy; empty when nothing. The conversation
 * comes first and as it was; the arbiter follows instructions when it writes, and is quoted them when it judges; sampling
 * is the answer's; no prompt names a model, but for the text that is marked as the reader's own.
 */
export function indiscretions(heard: HeardCall): string[] {
  return broken(heard, TO_THE_ARBITER[heard.does]);
}

/** The same where instructions are shared: who writes for the user follows them, whoever judges is quoted them. */
export function indiscretionsIfShared(heard: HeardCall): string[] {
  return broken(heard, TO_EVERYBODY[heard.does]);
}

function broken({ who, does, call }: HeardCall, shown: Shown | undefined): string[] {
  const { prompt, sampling } = call;
  const last = prompt.turns.at(-1);
  const { fenced, requirements, frame, escapes } = readPrompt(prompt);
  const foreign = [frame, ...fenced.flatMap(({ title, text }) => (title === OWN_TITLE ? [] : [title, text]))].join(
    '\n',
  );
  const mine = fenced.filter(({ title }) => title === OWN_TITLE);
  const rules: Readonly<Record<string, boolean>> = {
    'the history comes first, as it was': equal(prompt.turns.slice(0, -1), HISTORY),
    'the message opens the last turn': last?.role === 'user' && last.text.startsWith(PROMPT),
    'instructions are followed by who writes': prompt.system === (shown === 'followed' ? SYSTEM : undefined),
    'instructions are quoted to who judges': equal(requirements, shown === 'quoted' ? [SYSTEM] : []),
    'no instructions stand outside that quotation': !frame.includes('~system~'),
    'sampling is for the answer only': equal(sampling, does === 'answer' ? SAMPLING : {}),
    'no name of a model or a seat is shown': !NAMES.test(foreign),
    'every text is in a fence that holds': escapes.length === 0,
    'one text at most is marked as own': mine.length <= 1,
    'the own text is shown as it was written': mine.every(({ text }) => text.includes(modelIdOf(who))),
  };
  return Object.entries(rules).flatMap(([rule, holds]) => (holds ? [] : [`${who} ${does}: ${rule}`]));
}

function equal(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
