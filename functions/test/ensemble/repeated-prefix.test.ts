import { STRATEGY_NAMES } from '../../src/ensemble/strategies/strategies';
import { playRun, requestId } from '../support/played-run';
import { PLAIN, type Script } from '../support/scripted-models';

const LONG = 'The lessee shall keep the premises in good repair. '.repeat(100);

/** Nobody stops early: prose is a finding whose weight nobody knows. */
const TIRELESS: Script = (call) => (call.purpose === 'attack' ? { text: 'It does not say why.' } : PLAIN(call));

/** Which calls name a beginning that is shown again, and what it is. */
async function repeatedIn(strategy: (typeof STRATEGY_NAMES)[number], rounds: number, message: string) {
  const models = ['one-7', 'two-7', 'three-7', 'four-7'];
  const { calls } = await playRun({ id: requestId(strategy), strategy, models, rounds, message, script: TIRELESS });
  const named = calls.filter(({ prompt }) => prompt.repeatedCharacters !== undefined);
  return { calls, named };
}

describe.each(STRATEGY_NAMES)('%s: the beginning that a provider may keep', (strategy) => {
  it('is the message, of every call from the second round on, where there is a third', async () => {
    const { calls, named } = await repeatedIn(strategy, 3, LONG);
    expect(named.length).toBeGreaterThan(0);
    for (const { prompt, providerModel } of named) {
      expect(prompt.turns.at(-1)?.text.slice(0, prompt.repeatedCharacters)).toBe(LONG);
      // What is written once is read at least once.
      expect(named.filter((call) => call.providerModel === providerModel).length).toBeGreaterThan(1);
    }
    expect(
      calls
        .filter(({ purpose }) => purpose === 'answer' || purpose === 'analyse')
        .every((call) => !named.includes(call)),
    ).toBe(true);
  });

  it.each([
    { rule: 'two rounds write what nobody reads', rounds: 2, message: LONG },
    { rule: 'a short message is kept by no provider', rounds: 3, message: 'Is a tomato a fruit?' },
  ])('is not named where $rule', async ({ rounds, message }) => {
    expect((await repeatedIn(strategy, rounds, message)).named).toEqual([]);
  });

  it('is the same, byte by byte, in all calls of a participant', async () => {
    const { calls } = await repeatedIn(strategy, 3, LONG);
    for (const { prompt } of calls) expect(prompt.turns.at(-1)?.text.startsWith(LONG)).toBe(true);
  });
});
