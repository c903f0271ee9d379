import { playRun, requestId } from '../support/played-run';
import { PLAIN } from '../support/scripted-models';

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
