import { CHAT_PATH, startApp } from '../support/app';

const TRACE_ID = '0af7651916cd43dd8448eb211c80319c';
const SECRET_WORDS = 'The secret of the tomato';

describe('what operators see of a request', () => {
  it('one line for the request and one for each model call, all with its trace, none with its words', async () => {
    await using app = await startApp();
    app.logLines.length = 0;
    const response = await app.post(
      CHAT_PATH,
      {
        model: 'demo-ada',
        messages: [{ role: 'user', content: SECRET_WORDS }],
        ai_ensemble: { models: ['demo-blaise', 'demo-curie'] },
      },
      { traceparent: `00-${TRACE_ID}-b7ad6b7169203331-01` },
    );
    expect(response.status).toBe(200);
    const lines = app.logLines.map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(lines.map(({ message }) => message)).toEqual(['model call', 'model call', 'model call', 'request']);
    expect(lines.map((line) => line['traceId'])).toEqual([TRACE_ID, TRACE_ID, TRACE_ID, TRACE_ID]);
    const requestId = response.headers.get('x-request-id');
    expect(lines.map((line) => line['requestId'])).toEqual([requestId, requestId, requestId, requestId]);
    expect(lines.slice(0, 3).map((line) => line['ensemble.purpose'])).toEqual(['draft', 'draft', 'answer']);
    const all = app.logLines.join('\n');
    for (const words of [SECRET_WORDS, 'A first draft', 'Botanically']) expect(all).not.toContain(words);
    expect(all).not.toContain(app.key);
  });

  it('regression: a key pasted into a path or a model’s name is not logged', async () => {
    await using app = await startApp();
    await app.read(`/v1/${app.key}`);
    await app.complete({ model: app.key });
    expect(app.logLines.length).toBeGreaterThan(2);
    expect(app.logLines.join('\n')).not.toContain(app.key);
  });
});
