import { type App, startApp } from '../support/app';
import { ask, LOCAL_USER } from '../support/dashboard';

const QUESTION = [{ role: 'user', content: 'Is a tomato a fruit?' }];

let app: App;
beforeEach(async () => {
  app = await startApp();
  await app.user(LOCAL_USER, 'byok');
});
afterEach(() => app.close());

const plan = (body: object) => ask<{ calls: number }>(app, { method: 'POST', path: 'runs/plan', body });

describe('the plan of a run of the playground', () => {
  it('tells what the same request would call, and calls and books nothing', async () => {
    // Two participants in two rounds, an analysis, an answer.
    const options = { models: ['demo-ada', 'demo-curie'], rounds: 2, includeReasoning: true };
    const { status, body } = await plan({ model: 'demo-ada', messages: QUESTION, ai_ensemble: options });
    expect([status, body.calls]).toEqual([200, 2 * 2 + 2]);
    expect(app.models.calls).toEqual([]);
    expect(await app.container.store.readMonths(LOCAL_USER, ['2026-01'])).toEqual([]);
  });

  it('takes none of the ten runs a minute', async () => {
    for (let count = 0; count < 12; count += 1) {
      expect((await plan({ model: 'demo-ada', messages: QUESTION })).status).toBe(200);
    }
  });

  it('names the field that is wrong, and a router model that was not added', async () => {
    const bad = await plan({ model: 'demo-ada', messages: QUESTION, ai_ensemble: { quorum: 0 } });
    expect([bad.status, bad.text]).toEqual([400, expect.stringContaining('Invalid ai_ensemble.quorum')]);
    const unknown = await plan({ model: 'owl/eagle-1', messages: QUESTION });
    expect([unknown.status, unknown.text]).toEqual([400, expect.stringContaining('add it to your router models')]);
  });
});

it('a first run is suggested with models that are there, and a dozen prompts', async () => {
  const { body } = await ask<{ models: { id: string }[]; suggestions: Record<string, string[]> }>(app, {
    path: 'models',
  });
  const { prompts, participants = [], arbiter, scripted, graceSeconds } = body.suggestions;
  const ids = body.models.map(({ id }) => id);
  expect([prompts?.length, arbiter, scripted, graceSeconds]).toEqual([12, 'demo-ada', true, 3]);
  expect(participants).toEqual(['demo-ada', 'demo-slow', 'demo-unreliable', 'demo-dissenter']);
  expect(ids).toEqual(expect.arrayContaining(participants));
});
