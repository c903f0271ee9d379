import { PROOFS } from './visibility';
import { HISTORY, PROMPT, SAMPLING, SYSTEM } from './visibility/conversation';
import { indiscretions } from './visibility/discretion';
import { actualMatrix, expectedMatrix } from './visibility/matrix';
import { callsBeside, drafters, firstDrafters, firstToken, type OnDemand, wavesOnDemand } from './visibility/on-demand';
import { readPrompt, tokensIn } from './visibility/read-prompt';
import { members, modelIdOf, type Setup, selfOf } from './visibility/setup';
import { startVisibilityApp, type VisibilityApp } from './visibility/visibility-app';
import { type HeardCall, UMPIRE } from './visibility/wave-models';

/**
 * The visibility proof of `mode: "auto"`: first drafts are made from the user's messages alone; where the panel is needed
 * they are shown to those who are shown their author's text, and to nobody else, and no call is made that they have spared.
 */

const SIZES = [1, 2, 3, 4].flatMap((n) => [1, 2, 3].map((rounds) => ({ n, rounds })));
const EXPLAINED = [true, false];
const ALONE = 'PANEL: no\nIt is one. ~umpire.answer~';

function isFirst({ does, call }: HeardCall): boolean {
  return does === 'draft' && call.prompt.turns.at(-1)?.text.includes('"PANEL: no"') === true;
}

/** The rules for the first draft: it is an answer, with the caller's instructions and sampling, and knows no other text. */
function indiscretionsOfFirst({ call }: HeardCall): string[] {
  const { turns, system } = call.prompt;
  const { fenced, frame } = readPrompt(call.prompt);
  const rules: Readonly<Record<string, boolean>> = {
    'the history comes first, as it was': JSON.stringify(turns.slice(0, -1)) === JSON.stringify(HISTORY),
    'the message opens the last turn': turns.at(-1)?.text.startsWith(PROMPT) === true,
    'the caller’s instructions are followed': system === SYSTEM,
    'the sampling is the caller’s': JSON.stringify(call.sampling) === JSON.stringify(SAMPLING),
    'no text of another is shown': fenced.length === 0,
    'the user’s words are the only ones with a token': tokensIn(frame).every((token) =>
      /^(user|assistant)\./.test(token),
    ),
  };
  return Object.entries(rules).flatMap(([rule, holds]) => (holds ? [] : [rule]));
}

describe('on demand', () => {
  let service: VisibilityApp;
  beforeAll(async () => {
    service = await startVisibilityApp();
  });
  afterAll(() => service.app.close());

  /** The drafter's first draft is what it says; a second one has a token of its own. */
  const play = (run: OnDemand, says: string) => {
    const { proof, setup, drafter } = run;
    const unheard = new Set(firstDrafters(run));
    return service.run(proof, setup, {
      waves: wavesOnDemand(run),
      options: { mode: 'auto' },
      models: { [UMPIRE]: modelIdOf(drafter) },
      speak: (heard) => {
        if (heard.does !== 'draft' || !unheard.delete(heard.who)) return undefined;
        return isFirst(heard) ? says : inShort(heard.who);
      },
    });
  };
  const inShort = (who: string): string => `In short: ~${firstToken(who)}~, ${selfOf(who)}.`;
  const needsPanel = (drafter: string): string => `PANEL: yes\n${inShort(drafter)}`;

  describe.each(PROOFS)('$strategy', (proof) => {
    it.each(SIZES)('n = $n, r = $rounds: who sees what when the panel is needed', async ({ n, rounds }) => {
      for (const explained of EXPLAINED) {
        const setup: Setup = { members: members(n), rounds, explained, formal: true };
        for (const drafter of drafters({ proof, setup })) {
          const run = { proof, setup, drafter };
          const { waves, calls, status } = await play(run, needsPanel(drafter));
          const first = calls.find(isFirst);
          const others = calls.filter((call) => call !== first);
          expect(actualMatrix(waves)).toEqual(expectedMatrix(wavesOnDemand(run)));
          expect(first && indiscretionsOfFirst(first)).toEqual([]);
          expect(others.flatMap(indiscretions)).toEqual([]);
          expect(calls).toHaveLength(proof.waves(setup).flatMap((wave) => wave.calls).length + callsBeside(run));
          expect(status).toBe(200);
        }
      }
    });

    it('two calls when it is not, whoever drafts, and neither knows of the other', async () => {
      const setup: Setup = { members: members(3), rounds: 3, explained: true, formal: true };
      for (const drafter of drafters({ proof, setup })) {
        const { calls, reply } = await play({ proof, setup, drafter }, ALONE);
        expect(calls.map(({ does }) => does)).toEqual(['draft', 'draft']);
        expect(calls.flatMap((call) => (isFirst(call) ? indiscretionsOfFirst(call) : indiscretions(call)))).toEqual([]);
        expect(reply.choices[0].message.content).toBe('It is one. ~umpire.answer~');
      }
    });
  });
});
