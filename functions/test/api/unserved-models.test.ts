import { systemClock } from '../../src/lib/clock';
import { errorBody } from '../support/api-errors';
import { RUN_ENDPOINTS, startApp } from '../support/app';
import { during } from '../support/during';
import { sendStatus, startFakeUpstream } from '../support/fake-upstream';

describe.each(RUN_ENDPOINTS)('POST $path: providers that are not configured', ({ send }) => {
  const app = during('all', () => startApp({ providers: {} }));

  const WHERE = 'GET /v1/models lists what it serves';
  const UNSERVED = [
    ['gpt-5.5', 'no OpenAI key is configured on this server'],
    ['gpt-4o', 'no OpenAI key is configured on this server'],
    ['claude-haiku-4-5', 'no Anthropic key is configured on this server'],
    ['gemini-2.5-flash', 'no Gemini key is configured on this server'],
    ['some/other-model', 'no provider of this server knows it'],
    ['demo-nobody', 'no demo model has this id'],
  ] as const;

  it.each(UNSERVED)('%s is a 400 that says so, before a rate slot is taken', async (model, flaw) => {
    const { status, body, headers } = await send(app, { model });
    expect({ status, body }).toEqual({ status: 400, body: errorBody(`Model ${model}: ${flaw}; ${WHERE}`) });
    expect(headers.get('x-ratelimit-remaining-requests')).toBeNull();
  });

  it.each([
    [{}, '/v1/chat/completions'],
    [{ ANTHROPIC_API_KEY: 'k', ANTHROPIC_BASE_URL: 'own' }, '/own/v1/messages'],
  ])('behind a gateway a Claude model is asked of it, unless Anthropic is configured: %j', async (env, path) => {
    const upstream = await startFakeUpstream();
    const baseUrls = Object.entries({ ...env, OPENAI_BASE_URL: 'v1' }).map(([name, value]) => [
      name,
      name.endsWith('_URL') ? `${upstream.url}/${value}` : value,
    ]);
    await using gateway = await startApp({ providers: {}, clock: systemClock, env: Object.fromEntries(baseUrls) });
    upstream.willReply(sendStatus(400, {}));
    await send(gateway, { model: 'claude-haiku-4-5' });
    expect(upstream.requests.map((request) => request.path)).toEqual([path]);
    await upstream.close();
  });

  it('each of them in a panel with others is a failed participant, by name', async () => {
    await using live = await startApp({ providers: {}, clock: systemClock });
    const models = ['demo-ada', ...UNSERVED.map(([id]) => id)];
    const { status, body } = await send(live, { model: 'demo-ada', ai_ensemble: { models } });
    expect(status).toBe(200);
    expect(body.degraded).toEqual(
      UNSERVED.map(() => expect.stringMatching(/ did not answer in round 1 \(not (?:configured|found)\)$/)),
    );
  });

  it.each([
    ['ensembel', 'ensemble'],
    ['ensmble', 'ensemble'],
    ['Ensemble', 'ensemble'],
    ['ensemble_debate_tournament', 'ensemble-debate-tournament'],
    ['ensemble-debate', 'ensemble-debate-tournament'],
    ['ensemble-expert-pannel', 'ensemble-expert-panel'],
  ])('the misspelt virtual id %s gets the nearest one', async (model, meant) => {
    const { status, body } = await app.complete({ model });
    expect([status, body]).toEqual([400, errorBody(`Model ${model}: no such ensemble; did you mean ${meant}?`)]);
  });
});
