import type { CallPurpose, ProviderCall } from '../../../src/models/model';
import type { Script } from '../../support/scripted-models';
import { ESSAY, type UserWish } from './user-wishes';

/** Part of a prompt that a model goes by. */
export type Memory = 'goes by the last words alone' | 'also writes the lines asked for before them';

/** Patterns of last words that send their reader back to each of the user's wishes. */
const SENDS_BACK: Readonly<Record<UserWish['aspect'], readonly RegExp[]>> = {
  form: [/\bformat\b.*\basked for\b/],
  language: [/\blanguage of the user/, /\banother is asked for\b/],
  length: [/\blength\b.*\b(?:user|asked)\b|\blength asked for\b/],
  measure: [/\bIf no length is set\b|\botherwise no longer than\b/, /\bquestion needs\b|\bpart needs\b/],
};
const KEEPS_QUIET = /\bnothing about how it was made\b/;

/**
 * Models that know nothing of the user's wishes but what the last paragraph of their prompt sends them back for: told
 * how to proceed, they write an essay in English and say where it comes from. Alone with the message they do as it says.
 */
export function obedientModels(wish: UserWish, memory: Memory): Script {
  return (call) => {
    const prompt = call.prompt.turns.at(-1)?.text ?? '';
    const reply = JSON_REPLIES[call.purpose] ?? textFor(wish, prompt);
    return { text: typeof reply === 'string' ? withLines(reply, prompt, memory) : JSON.stringify(reply) };
  };
}

/** The last paragraph of what a call is asked; undefined when it is the user's message alone. */
export function lastWordsOf({ prompt }: ProviderCall, message: string): string | undefined {
  const text = prompt.turns.at(-1)?.text ?? '';
  return text === message ? undefined : lastWordsIn(text, message);
}

/** Behind long texts the message itself is said again: it takes nothing back of what is said before it. */
function lastWordsIn(prompt: string, message: string): string {
  const again = `\n\nThe user's message again:\n\n${message}`;
  const words = prompt.endsWith(again) ? prompt.slice(0, -again.length) : prompt;
  return words.slice(words.lastIndexOf('\n\n') + 2);
}

function textFor({ message, aspect, done }: UserWish, prompt: string): string {
  if (prompt === message) return done;
  const lastWords = lastWordsIn(prompt, message);
  const text = SENDS_BACK[aspect].every((order) => order.test(lastWords)) ? done : ESSAY;
  return KEEPS_QUIET.test(lastWords) ? text : `${text}\n\nThis unites the drafts A and B, as the procedure says.`;
}

/** The lines of the service, by the words that ask for them. */
const LINES: Readonly<Record<string, string>> = {
  '"CHECK: ': 'CHECK: step 1: no reason is given',
  '"REVISION: ': 'REVISION: changed (no reason was given)',
  '; DISSENT: ': 'DISSENT: new',
  '; STANCE: ': 'STANCE: holds',
  '"FINDING 1: ': 'FINDING 1: fixed',
};
/** The one that is asked for at the end. */
const ANSWER_LINE: readonly [order: string, line: string] = ['"ANSWER: "', 'ANSWER: it is so'];

function withLines(text: string, prompt: string, memory: Memory): string {
  if (memory === 'goes by the last words alone') return text;
  const said = ([order, line]: readonly [string, string]) => (prompt.includes(order) ? [line] : []);
  return [...Object.entries(LINES).flatMap(said), text, ...said(ANSWER_LINE)].join('\n');
}

const JSON_REPLIES: Readonly<Partial<Record<CallPurpose, object>>> = {
  cast: { lenses: [{ name: 'Teacher', focus: 'What has to be understood first.' }] },
  plan: {
    items: [
      { title: 'The first half', task: 'Write it.' },
      { title: 'The second half', task: 'Write it.' },
    ],
  },
  review: { verdict: 'revise', defects: [{ item: 'all', severity: 'major', defect: 'Say it better.' }] },
  attack: { findings: [{ severity: 'major', why: 'It could be said better.' }] },
  analyse: { winner: null, rationale: 'They say the same.' },
};
