import { STRATEGY_NAMES } from '../../src/ensemble/strategies/strategies';
import type { CallPurpose } from '../../src/models/model';
import { askedOf, playRun, requestId } from '../support/played-run';
import { lastWordsOf, type Memory, obedientModels } from './forms/obedient-models';
import { HAIKU, USER_WISHES, type UserWish } from './forms/user-wishes';

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
