import { sleep } from '../../src/lib/clock';
import type { ModelProvider, ProviderCall } from '../../src/models/model';
import { ModelFault } from '../../src/models/model-fault';
import { type App, startApp } from '../support/app';
import { fakeClock } from '../support/fake-clock';
import { until } from '../support/until';
import { readStream } from '../support/wire';

describe('POST /v1/chat/completions: a stream’s headers, silence and end', () => {
  let app: App;
  beforeEach(async () => {
    app = await startApp();
  });
  afterEach(() => app.close());

  const called = (calls = 1): Promise<void> => until(() => app.models.calls.length >= calls);

  it('has the headers of an event stream, the request id and the rate limit', async () => {
    const response = await app.chat({ stream: true });
    await response.text();
    expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
    expect(response.headers.get('cache-control')).toBe('no-cache, no-transform');
    expect(response.headers.get('x-request-id')).toMatch(/^[0-9a-f]{32}$/);
    expect(response.headers.get('x-ratelimit-limit-requests')).toBe('30');
    expect(response.headers.get('x-ratelimit-remaining-requests')).toBe('29');
    expect(response.headers.get('x-ratelimit-reset-requests')).toBe('60s');
  });

  it('headers and the opening chunk are sent before any model has answered', async () => {
    app.models.play(() => ({ text: 'Late.', delayMs: 1_000 }));
    // Resolves with the headers; the model's second passes only afterwards.
    const response = await app.chat({ stream: true });
    await called();
    await app.clock.advance(1_000);
    const { content, done } = await readStream(response);
    expect({ content, done }).toEqual({ content: 'Late.', done: true });
  });

  it.each([
    { rule: 'none in 9.999 s of silence', silentMs: 9_999, repeats: 0 },
    { rule: 'one after 10 s', silentMs: 10_000, repeats: 1 },
    { rule: 'one in 19.999 s', silentMs: 19_999, repeats: 1 },
    { rule: 'three in 35 s', silentMs: 35_000, repeats: 3 },
  ])('the last status is repeated after every 10 s of silence: $rule', async ({ silentMs, repeats }) => {
    app.models.play(() => ({ text: 'At last.', delayMs: silentMs }));
    const response = await app.chat({ stream: true });
    await called();
    await app.clock.advance(silentMs);
    const { chunks, content, done } = await readStream(response);
    const progress = chunks.filter(({ status }) => status !== undefined);
    expect(progress).toHaveLength(1 + repeats);
    expect(progress).toEqual(progress.map(() => progress[0]));
    expect({ content, done }).toEqual({ content: 'At last.', done: true });
  });
});

describe('POST /v1/chat/completions: a stream that would not end', () => {
  it('is stopped after 525 s with a StreamError', async () => {
    const clock = fakeClock();
    const calls: ProviderCall[] = [];
    // A word every 30 s: never silent long enough to be given up for that.
    const babbling: ModelProvider = {
      run: async (call, listener) => {
        calls.push(call);
        while (!call.signal.aborted) {
          await sleep(clock, 30_000, call.signal);
          await listener.text('more ');
        }
        throw new ModelFault('aborted');
      },
    };
    await using app = await startApp({ clock, provider: babbling });
    const response = await app.chat({ stream: true });
    await until(() => calls.length > 0);
    await clock.advance(524_999);
    expect(calls.map(({ signal }) => signal.aborted)).toEqual([false]);
    await clock.advance(1);
    expect(calls.map(({ signal }) => signal.aborted)).toEqual([true]);
    const { chunks, done } = await readStream(response);
    expect(chunks.at(-1)).toStrictEqual({ error: expect.any(String) });
    expect(done).toBe(false);
  });
});
