import type { StrategyName } from '../../src/ensemble/strategies/strategies';
import type { ProviderCall } from '../../src/models/model';
import { askedOf, playRun, requestId } from '../support/played-run';
import { PLAIN, type Script } from '../support/scripted-models';

/** A round in which nobody changes anything costs a line each, not a text each; and it is the last one. */

const PANEL = ['ash', 'birch', 'cedar'];

/** Text of a reviser that is asked for its whole text again. */
const WHOLE_TEXT = 'Botanically it is a berry, which grows from one ovary. '.repeat(20);

/** The reply that is asked for where nothing changes. */
const SETTLED: Readonly<Partial<Record<StrategyName, string>>> = {
  competitive_refinement: 'REVISION: kept',
  collaborative_synthesis: 'REVISION: kept',
  expert_panel: 'REVISION: kept; DISSENT: none',
  debate_tournament: 'REVISION: kept; STANCE: holds',
  chain_of_thought: 'CHECK: verified\nREVISION: kept',
};
const STRATEGIES = Object.entries(SETTLED).map(([strategy, line]) => ({ strategy: strategy as StrategyName, line }));

const draftOf = ({ providerModel }: ProviderCall): string =>
  `1. It has seeds.\n2. So ${providerModel} calls it a fruit.`;

/** Members that change nothing; they write a line alone only where the prompt says that they may. */
const settled =
  (line: string): Script =>
  (call) => {
    if (call.purpose === 'draft') return { text: draftOf(call) };
    if (call.purpose !== 'revise') return { text: PLAIN(call).text };
    const mayBeShort = askedOf(call).includes('After "kept", stop.');
    return { text: mayBeShort ? line : `${line}\n\n${WHOLE_TEXT}` };
  };

describe.each(STRATEGIES)('$strategy: nobody changes anything', ({ strategy, line }) => {
  const play = (script: Script) =>
    playRun({ id: requestId(strategy), strategy, models: PANEL, rounds: 4, explain: false, script });

  it('the round costs a line each, is the last one, and all texts stand', async () => {
    const said: string[] = [];
    const { calls, candidates, statuses } = await play((call) => {
      const reply = settled(line)(call);
      if (call.purpose === 'revise') said.push(reply.text);
      return reply;
    });
    expect(said).toEqual(PANEL.map(() => line));
    expect(calls.filter(({ purpose }) => purpose === 'revise')).toHaveLength(PANEL.length);
    const drafts = calls.filter(({ purpose }) => purpose === 'draft').map(draftOf);
    expect(candidates.map(({ response }) => response).toSorted()).toEqual(drafts.toSorted());
    expect(statuses.join('\n')).toContain('after round 2 of 4');
    for (const draft of drafts) expect(askedOf(calls.at(-1) ?? failed())).toContain(draft);
  });

  it('one that still changes something keeps the round going, and the others’ texts stay', async () => {
    let changes = 0;
    const { calls, candidates } = await play((call) => {
      if (call.providerModel !== 'birch' || call.purpose !== 'revise') return settled(line)(call);
      changes += 1;
      return { text: `It is a berry.\nSo says page ${changes}.\nCHECK: step 1: no\nANSWER: a berry` };
    });
    expect(calls.filter(({ purpose }) => purpose === 'revise')).toHaveLength(3 * PANEL.length);
    expect(candidates.map(({ response }) => response.split('\n')[0])).toEqual([
      '1. It has seeds.',
      'It is a berry.',
      '1. It has seeds.',
    ]);
  });
});

describe('chain_of_thought: last lines alone', () => {
  const FORMER = '1. Six by seven.\n2. That is 42.\nANSWER: 42';

  /** Solution of ash after such a reply. */
  async function becomes(former: string, reply: string): Promise<string | undefined> {
    const { candidates } = await playRun({
      id: requestId('bare'),
      strategy: 'chain_of_thought',
      models: ['ash', 'birch'],
      rounds: 2,
      script: (call) => {
        if (call.providerModel !== 'ash') return PLAIN(call);
        return { text: call.purpose === 'draft' ? former : reply };
      },
    });
    return candidates[0]?.response;
  }

  it.each([
    { rule: 'the check', reply: 'CHECK: step 3: divides by zero', stands: FORMER },
    { rule: 'the same answer', reply: 'ANSWER: 42', stands: FORMER },
    { rule: 'both', reply: 'CHECK: verified\n**ANSWER:** 42.', stands: FORMER },
    { rule: 'all three', reply: 'CHECK: verified\nREVISION: kept\nANSWER: 42', stands: FORMER },
    {
      rule: 'another answer: the steps stand, under the answer that is now given',
      reply: 'CHECK: verified\nREVISION: changed (a slip)\nANSWER: 43',
      stands: '1. Six by seven.\n2. That is 42.\nANSWER: 43',
    },
  ])('$rule', async ({ reply, stands }) => expect(await becomes(FORMER, reply)).toBe(stands));

  it.each(['ANSWER: Lyon', 'Lyon.\nANSWER: Lyon', '**Lyon**\n\nANSWER: Lyon'])(
    'an answer without any steps is replaced by another: %j',
    async (former) => expect(await becomes(former, 'CHECK: verified\nANSWER: Paris')).toBe('ANSWER: Paris'),
  );

  it('a whole solution takes the place of the former one, without what was said of the change', async () => {
    const reply = '1. Six by six.\n2. That is 36.\nCHECK: verified\nREVISION: changed (six, not seven)\nANSWER: 36';
    expect(await becomes(FORMER, reply)).toBe('1. Six by six.\n2. That is 36.\nANSWER: 36');
  });
});

function failed(): never {
  throw new Error('no such call');
}
