import { fakeClock } from '../../../test/support/fake-clock';
import type { ModelPrompt, ProviderCall } from '../../models/model';
import { createDemoProvider } from './demo';

const PROMPT: ModelPrompt = { turns: [{ role: 'user', text: 'Is a tomato a fruit?' }] };

function callOf(providerModel: string, fields: Partial<ProviderCall> = {}): ProviderCall {
  const { signal } = new AbortController();
  return { providerModel, prompt: PROMPT, sampling: {}, purpose: 'draft', signal, ...fields };
}

/** Results of calls made one after the other, as texts or kinds of fault, and their time. */
async function ask(...calls: readonly ProviderCall[]): Promise<{ said: string[]; tookMs: number }> {
  const clock = fakeClock();
  const provider = createDemoProvider(clock);
  const startedMs = clock.nowMs();
  const said: string[] = [];
  for (const call of calls) {
    let text = '';
    const running = provider
      .run(call, {
        text: (delta) => {
          text += delta;
          return undefined;
        },
        toolCall: () => undefined,
        pending: () => undefined,
        usage: () => undefined,
        web: () => undefined,
        alive: () => undefined,
        thought: () => undefined,
      })
      .then(
        () => said.push(text),
        ({ kind }) => said.push(kind),
      );
    while (said.length < calls.indexOf(call) + 1) await clock.advance(10);
    await running;
  }
  return { said, tookMs: clock.nowMs() - startedMs };
}

describe('the demo provider', () => {
  it('lets the unreliable model fail the first time and answer when it is asked the same again, in each run', async () => {
    const another = { ...PROMPT };
    const { said } = await ask(
      ...[callOf('demo-unreliable'), callOf('demo-unreliable'), callOf('demo-unreliable', { prompt: another })],
    );
    expect(said).toEqual(['overloaded', expect.stringMatching(/^Yes in botany/), 'overloaded']);
  });

  it('lets it do everything else at once', async () => {
    const { said } = await ask(callOf('demo-unreliable', { purpose: 'answer' }));
    expect(said).toEqual([expect.stringContaining('Scripted demo answer')]);
  });

  it('lets the slow model take several times as long as any other', async () => {
    const [slow, ada] = await Promise.all([ask(callOf('demo-slow')), ask(callOf('demo-ada'))]);
    expect(slow.tookMs).toBeGreaterThan(5 * ada.tookMs);
  });

  it('lets a model that may search say that nothing was looked up, and name a page that shows it', async () => {
    const prompt = { ...PROMPT, webSearch: true as const };
    const { said } = await ask(callOf('demo-ada', { prompt }), callOf('demo-ada'));
    expect(said[0]).toContain('Scripted source, as no page was looked up: https://example.org/demo/demo-ada');
    expect(said[1]).not.toContain('example.org');
  });

  it('does not know other ids', async () => {
    expect((await ask(callOf('demo-zoe'))).said).toEqual(['not_found']);
  });
});
