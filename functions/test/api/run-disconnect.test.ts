import { type App, RUN_ENDPOINTS, startApp } from '../support/app';
import { PLAIN } from '../support/scripted-models';
import { until } from '../support/until';
import type { WireUsage } from '../support/wire';

describe.each(RUN_ENDPOINTS)('POST $path: a client', ({ path, body: request }) => {
  let app: App;
  beforeEach(async () => {
    app = await startApp();
  });
  afterEach(() => app.close());

  it.each([
    { rule: 'a stream', stream: true },
    { rule: 'a JSON reply', stream: false },
  ])('that leaves $rule aborts every upstream call, and the run is still recorded', async ({ stream }) => {
    app.models.play((call) => ({ ...PLAIN(call), delayMs: 60_000 }));
    const client = new AbortController();
    const response = fetch(app.baseUrl + path, {
      method: 'POST',
      headers: { authorization: `Bearer ${app.key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ ...request, stream, ai_ensemble: { models: ['demo-blaise', 'demo-curie'] } }),
      signal: client.signal,
    });
    const read = response.then((reply) => reply.text());
    await until(() => app.models.calls.length === 2);
    client.abort();
    await expect(read).rejects.toThrow();
    await until(() => app.models.calls.every(({ signal }) => signal.aborted));
    const recorded = async (): Promise<number[]> => {
      const { body } = await app.read<WireUsage>('/v1/usage');
      return body.data.map(({ n_requests }) => n_requests);
    };
    await until(async () => (await recorded()).length > 0);
    expect(await recorded()).toEqual([1]);
    expect(app.models.calls).toHaveLength(2);
  });
});
