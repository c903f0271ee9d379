import { STRATEGY_NAMES, type StrategyName } from '../../src/ensemble/strategies/strategies';
import type { ProviderCall } from '../../src/models/model';
import { isMarked } from '../../src/models/prompt-caches';
import { type Play, playRun, requestId } from '../support/played-run';
import { PLAIN, type Script } from '../support/scripted-models';

const LONG = 'The lessee shall keep the premises in good repair. '.repeat(200);
const PANEL = ['one-7', 'two-7', 'three-7', 'four-7'];
const FORM = { name: 'person', schema: { type: 'object' }, strict: false };

/** Nobody stops early: prose is a finding whose weight nobody knows. */
const TIRELESS: Script = (call) => (call.purpose === 'attack' ? { text: 'It does not say why.' } : PLAIN(call));

/** Calls that name a beginning which is shown again. */
async function playedWith(strategy: StrategyName, asked: Partial<Play>) {
  const usual = { models: PANEL, rounds: 3, message: LONG, script: TIRELESS };
  const { calls } = await playRun({ id: requestId(strategy), strategy, ...usual, ...asked });
  const named = calls.filter(({ prompt }) => isMarked(prompt));
  return { calls, named };
}

/** Key by which providers keep a beginning: calls that differ in any of it share none. */
const keptBy = ({ providerModel, prompt, outputSchema }: ProviderCall): string =>
  JSON.stringify([providerModel, prompt.system, outputSchema?.name]);
const saying = (calls: readonly ProviderCall[]): string[] =>
  calls.map(({ providerModel, purpose }) => `${purpose} ${providerModel}`);

describe.each(STRATEGY_NAMES)('%s: the beginning that a provider may keep', (strategy) => {
  it.each([
    { rounds: 1, arbiter: 'one-7' },
    { rounds: 2, arbiter: 'umpire-9' },
    { rounds: 2, arbiter: 'one-7' },
    { rounds: 3, arbiter: 'umpire-9' },
    { rounds: 4, arbiter: 'three-7' },
  ])(
    'is the message, and is read by another call than the one that writes it: $rounds rounds, $arbiter',
    async (row) => {
      const { named } = await playedWith(strategy, row);
      for (const call of named) {
        const { prompt } = call;
        const { text = '', cacheMarks: [behind = 0] = [] } = prompt.turns.at(-1) ?? {};
        expect(text.slice(0, text.length - behind)).toBe(LONG);
        expect(named.filter((other) => keptBy(other) === keptBy(call)).length).toBeGreaterThan(1);
      }
      // Of three rounds there are always two whose calls are alike.
      expect(named.length > 0 || row.rounds < 3).toBe(true);
    },
  );

  it('is not named by a comparison or a verdict: it is held to a schema, and the answer is not', async () => {
    const { named } = await playedWith(strategy, { arbiter: 'one-7' });
    expect(named.map(({ purpose }) => purpose)).not.toContain('analyse');
  });
});

describe('the beginning that a provider may keep', () => {
  const DRAFTS = PANEL.map((model) => `draft ${model}`);
  const REVISIONS = PANEL.map((model) => `revise ${model}`);

  it.each([
    { rule: 'one round, by an arbiter that is no participant: nobody reads it again', asked: { rounds: 1 }, says: [] },
    {
      rule: 'one round, by an arbiter that is a participant: its draft writes, the answer reads',
      asked: { rounds: 1, arbiter: 'two-7' },
      says: ['draft two-7', 'answer two-7'],
    },
    {
      rule: 'its system prompt stands before the message: the answer begins otherwise',
      asked: { rounds: 1, arbiter: 'two-7', fields: { systemPrompt: 'Be brief.' } },
      says: [],
    },
    {
      rule: 'the participants have the same system prompt',
      asked: { rounds: 1, arbiter: 'two-7', fields: { systemPrompt: 'Be brief.', sharedPrompt: 'Be brief.' } },
      says: ['draft two-7', 'answer two-7'],
    },
    {
      rule: 'the answer is held to a form, the draft is not',
      asked: { rounds: 1, arbiter: 'two-7', fields: { answerForm: FORM } },
      says: [],
    },
    {
      rule: 'two rounds: drafts write, revisions read',
      asked: { rounds: 2 },
      says: [...DRAFTS, ...REVISIONS],
    },
    {
      rule: 'three rounds, and the arbiter is a participant',
      asked: { rounds: 3, arbiter: 'four-7' },
      says: [...DRAFTS, ...REVISIONS, ...REVISIONS, 'answer four-7'],
    },
  ])('$rule', async ({ asked, says }) => {
    const { named } = await playedWith('competitive_refinement', { explain: false, ...asked });
    expect(saying(named)).toEqual(says);
  });
});
