import { ModelFault } from '../../src/models/model-fault';
import { sharedApp } from '../support/app';
import { PLAIN } from '../support/scripted-models';

/** `reasoning_effort`, which is OpenAI's field, beside `reasoning.effort`, which asks for an explanation. */
describe('POST /v1/chat/completions: reasoning_effort', () => {
  const app = sharedApp({ env: { RATE_LIMIT_RPM: '1000' } });
  const efforts = () => app.models.calls.map(({ purpose, reasoningEffort }) => [purpose, reasoningEffort]);

  it.each(['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'])(
    '%s reaches a plain model, known to think or not, in its one call',
    async (effort) => {
      for (const model of ['gpt-5.5', 'house-model']) {
        app.models.reset();
        const { body } = await app.complete({ model, reasoning_effort: effort });
        expect([efforts(), body.ignored, body.degraded]).toEqual([[['answer', effort]], undefined, undefined]);
      }
    },
  );

  it('of an ensemble is that of its answer, and of no other call', async () => {
    const ai_ensemble = { models: ['demo-blaise', 'demo-curie'], includeReasoning: true };
    await app.complete({ reasoning_effort: 'low', ai_ensemble });
    expect(efforts()).toEqual([
      ['draft', undefined],
      ['draft', undefined],
      ['analyse', undefined],
      ['answer', 'low'],
    ]);
  });

  it.each(['banana', '', 7, { effort: 'high' }])('that is none is listed as ignored: %j', async (effort) => {
    const { status, body } = await app.complete({ reasoning_effort: effort });
    expect([status, efforts(), body.ignored?.length]).toEqual([200, [['answer', undefined]], 1]);
    expect(body.ignored?.[0]).toMatch(/^reasoning_effort /);
  });

  it.each([
    ['by its name', ['reasoningEffort' as const]],
    ['without a word of it', []],
  ])('that the model refuses %s is left out, then and from then on, and that is said', async (how, refuses) => {
    app.models.play((call) => {
      const fault = new ModelFault('bad_request', { refuses });
      return call.reasoningEffort ? { text: '', usage: null, fault } : PLAIN(call);
    });
    const ask = () => app.complete({ model: `picky ${how}`, reasoning_effort: 'xhigh' });
    const replies = [await ask(), await ask()];
    expect(replies.map(({ status, body }) => [status, body.degraded])).toEqual(
      replies.map(() => [200, [`picky ${how} refuses reasoning effort xhigh: it was asked without`]]),
    );
    expect(efforts().map(([, effort]) => effort)).toEqual(['xhigh', undefined, undefined]);
  });

  it('that the model refuses beside tools is none there, which is said, and is sent without them', async () => {
    app.models.play((call) => {
      const { prompt, without = [] } = call;
      const fault = new ModelFault('bad_request', { refuses: ['thoughtsBesideTools', 'reasoningEffort'] });
      return prompt.tools && !without.includes('thoughtsBesideTools') ? { text: '', usage: null, fault } : PLAIN(call);
    });
    const tools = [{ type: 'function', function: { name: 'look' } }];
    const ask = (more: object) => app.complete({ model: 'worker', reasoning_effort: 'high', ...more });
    expect((await ask({ tools })).body.degraded).toEqual([
      'worker does not think where it may call tools: its provider refuses both together',
    ]);
    expect((await ask({})).body.degraded).toBeUndefined();
    expect(efforts().at(-1)).toEqual(['answer', 'high']);
  });
});
