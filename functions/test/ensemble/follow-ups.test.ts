import { playRun, requestId } from '../support/played-run';
import { failing, PLAIN, type Script } from '../support/scripted-models';

/** Model that is asked for follow-up prompts. */
async function asked(models: readonly string[], arbiter: string, script: Script = PLAIN): Promise<string[]> {
  const strategy = 'competitive_refinement';
  const { calls } = await playRun({
    id: requestId(models.join()),
    strategy,
    models,
    arbiter,
    rounds: 1,
    script,
    followUps: true,
  });
  return calls.filter(({ purpose }) => purpose === 'follow_ups').map(({ providerModel }) => providerModel);
}

describe('follow-up prompts', () => {
  it('come from the cheapest member of the panel', async () => {
    expect(await asked(['gpt-4o', 'gpt-4o-mini', 'claude-haiku-4-5'], 'gpt-4.1')).toEqual(['gpt-4o-mini']);
    expect(await asked(['gpt-4o', 'claude-haiku-4-5'], 'gpt-4o-mini')).toEqual(['gpt-4o-mini']);
  });

  it('come from the arbiter where nothing is known of prices', async () => {
    expect(await asked(['one-7', 'two-7'], 'three-7')).toEqual(['three-7']);
  });

  it('do not come from a model that has failed in this run', async () => {
    const script: Script = (call) => (call.providerModel === 'gpt-4o-mini' ? failing('not_found') : PLAIN(call));
    expect(await asked(['gpt-4o', 'gpt-4o-mini'], 'gpt-4.1', script)).toEqual(['gpt-4.1']);
  });
});
