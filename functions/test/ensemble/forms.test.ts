import { STRATEGY_NAMES } from '../../src/ensemble/strategies/strategies';
import type { CallPurpose, ProviderCall } from '../../src/models/model';
import { askedOf, playRun, requestId } from '../support/played-run';
import type { Script } from '../support/scripted-models';
import { ESSAY, HAIKU, USER_WISHES, type UserWish } from './forms/user-wishes';

/** Part of a prompt that a model goes by. */
type Memory = 'goes by the last words alone' | 'also writes the lines asked for before them';

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
function obedientModels(wish: UserWish, memory: Memory): Script {
  return (call) => {
    const prompt = call.prompt.turns.at(-1)?.text ?? '';
    const reply = JSON_REPLIES[call.purpose] ?? textFor(wish, prompt);
    return { text: typeof reply === 'string' ? withLines(reply, prompt, memory) : JSON.stringify(reply) };
  };
}

/** The last paragraph of what a call is asked; undefined when it is the user's message alone. */
function lastWordsOf({ prompt }: ProviderCall, message: string): string | undefined {
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

/**
 * The contract of forms: what the user asks for is what comes out, of every strategy and of every participant. Models
 * are scripted to obey the last instruction they are given, so each prompt has to end with the user's own wishes.
 */

const MEMORIES: readonly Memory[] = ['goes by the last words alone', 'also writes the lines asked for before them'];
const PANELS = [1, 2, 3, 4].map((n) => ['ash', 'birch', 'cedar', 'dogwood'].slice(0, n));
const TEXTS: readonly CallPurpose[] = ['draft', 'revise', 'answer'];

/** A text without the line by which solutions are compared; it is meant to stay in a candidate. */
function withoutAnswerLine(text: string): string {
  return text.replace(/\n?^ANSWER: .*$/m, '');
}

/** The texts of a run that are not what the user asked for, each with who wrote it. */
async function misses(strategy: (typeof STRATEGY_NAMES)[number], wish: UserWish): Promise<string[]> {
  const found: string[] = [];
  for (const models of PANELS) {
    for (const memory of MEMORIES) {
      const script = obedientModels(wish, memory);
      const id = requestId(`${strategy} ${wish.name}`);
      const run = await playRun({ id, strategy, models, rounds: 2, script, message: wish.message });
      const texts = [
        { who: 'the answer', text: run.answer },
        ...run.candidates.map(({ modelId, response }) => ({ who: modelId, text: withoutAnswerLine(response) })),
      ];
      for (const { who, text } of texts) {
        if (!wish.holds(text)) found.push(`${who} of ${models.length}, ${memory}: ${text.slice(0, 80)}`);
      }
    }
  }
  return found;
}

/** Every call for a text in runs of all panels. */
async function callsForTexts(strategy: (typeof STRATEGY_NAMES)[number]) {
  const script = obedientModels(HAIKU, 'also writes the lines asked for before them');
  const runs = PANELS.map((models) =>
    playRun({ id: requestId(1), strategy, models, rounds: 3, script, message: HAIKU.message }),
  );
  const calls = (await Promise.all(runs)).flatMap((run) => run.calls);
  return calls.filter(({ purpose }) => TEXTS.includes(purpose));
}

/** The beginning of the last paragraph of a prompt; empty where the message stands alone. */
function closingOf(call: Parameters<typeof lastWordsOf>[0]): string {
  return (lastWordsOf(call, HAIKU.message) ?? '').split(',', 1)[0] ?? '';
}

describe.each(STRATEGY_NAMES)('the contract of forms: %s', (strategy) => {
  it.each(USER_WISHES)('$name comes out as asked', async (wish) => {
    expect(await misses(strategy, wish)).toEqual([]);
  });

  it('every prompt for a text ends with the words for its purpose: the answer, a working text, or a part', async () => {
    const texts = await callsForTexts(strategy);
    const endings = (isAnswer: boolean): string[] => {
      const words = texts.filter(({ purpose }) => (purpose === 'answer') === isAnswer).map(closingOf);
      return [...new Set(words.filter((word) => word !== ''))].toSorted();
    };
    const parts = strategy === 'hierarchical' ? ['Write only your part'] : [];
    expect(endings(true)).toEqual(['Write the reply the user will read']);
    expect(endings(false)).toEqual([...parts, 'Write the answer part as the user should receive it']);
  });

  it('no prompt for a text forces steps, a recommendation or objections on every message', async () => {
    const script = obedientModels(HAIKU, 'also writes the lines asked for before them');
    const { calls } = await playRun({ id: requestId(2), strategy, models: PANELS.at(-1) ?? [], rounds: 3, script });
    const texts = calls.filter(({ purpose }) => TEXTS.includes(purpose));
    const sentences = texts.flatMap((call) => askedOf(call).split(/(?<=[.:?])\s/));
    const forcing = sentences.filter((words) => /numbered steps|recommendation|objections?\b/.test(words));
    expect(forcing.filter((words) => !/\b(?:if|without)\b/i.test(words))).toEqual([]);
  });
});
