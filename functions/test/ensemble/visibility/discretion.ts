import type { CallPurpose } from '../../../src/models/model';
import { HISTORY, PROMPT, SAMPLING, SYSTEM } from './conversation';
import { OWN_TITLE, readPrompt } from './read-prompt';
import { members, modelIdOf } from './setup';
import type { HeardCall } from './wave-models';

/** The only calls with the caller's instructions and sampling. */
const INSTRUCTED: ReadonlySet<CallPurpose> = new Set(['analyse', 'answer']);
/** Any name of the sixteen models and the arbiter's, and what the engine calls seats and calls. */
const NAMES = new RegExp(
  `${[...members(16), 'umpire'].map((who) => modelIdOf(who)).join('|')}|\\b(?:p\\d+|r\\d+\\.\\w+|arbiter)\\b`,
);

/**
 * What a call breaks of the rules that hold for every call of every strategy; empty when nothing. The conversation
 * comes first and as it was; instructions and sampling are the arbiter's; no prompt names a model, but for the text
 * that is marked as the reader's own.
 */
export function indiscretions({ who, does, call }: HeardCall): string[] {
  const { prompt, sampling } = call;
  const last = prompt.turns.at(-1);
  const { fenced, frame, escapes } = readPrompt(prompt);
  const instructed = INSTRUCTED.has(does);
  const foreign = [frame, ...fenced.flatMap(({ title, text }) => (title === OWN_TITLE ? [] : [title, text]))].join(
    '\n',
  );
  const mine = fenced.filter(({ title }) => title === OWN_TITLE);
  const rules: Readonly<Record<string, boolean>> = {
    'the history comes first, as it was': equal(prompt.turns.slice(0, -1), HISTORY),
    'the message opens the last turn': last?.role === 'user' && last.text.startsWith(PROMPT),
    'instructions are for analysis and answer only': prompt.system === (instructed ? SYSTEM : undefined),
    'sampling is for analysis and answer only': equal(sampling, instructed ? SAMPLING : {}),
    'no turn holds instructions': !JSON.stringify(prompt.turns).includes('~system~'),
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
