import { type App, startApp } from '../support/app';
import { during } from '../support/during';
import { type FakeClock, fakeClock } from '../support/fake-clock';
import { startFakeUpstream } from '../support/fake-upstream';
import { FIXTURE_TEXTS, PROTOCOLS } from '../support/protocols';
import { until } from '../support/until';
import { readStream } from '../support/wire';
import { FAILURE_MODES, type FailureMode } from './failure-modes';

/**
 * The service in front of a provider that fails, over real HTTP in each provider's own wire format, on a clock that
 * only the test moves: right outcome, no call beyond its timer, everything recorded.
 */

/** Usage in the recorded good reply of each provider: it is the same conversation in all three formats. */
const REPORTED = { promptTokens: 1_200, completionTokens: 340 };
const MODELS: Readonly<Record<string, string>> = {
  openai: 'gpt-4o',
  anthropic: 'claude-haiku-4-5',
  google: 'gemini-2.0-flash',
};
function contentOf(json: string): string {
  const { choices } = JSON.parse(json) as { choices: [{ message: { content: string } }] };
  return choices[0].message.content;
}

/** Statuses of replies that are not the service's own failure. */
const STATUS_OF: Readonly<Record<string, number>> = { 'not found': 400, 'rate limited': 429 };

describe.each(PROTOCOLS)('$name', (protocol) => {
  const model = MODELS[protocol.name] ?? '';
  const upstream = during('each', startFakeUpstream);
  let clock: FakeClock;
  let app: App;

  beforeEach(async () => {
    clock = fakeClock();
    const env = {
      OPENAI_API_KEY: 'k',
      OPENAI_BASE_URL: `${upstream.url}/v1`,
      ANTHROPIC_API_KEY: 'k',
      ANTHROPIC_BASE_URL: upstream.url,
      GEMINI_API_KEY: 'k',
      GEMINI_BASE_URL: upstream.url,
    };
    app = await startApp({ clock, providers: {}, env });
  });
  afterEach(async () => {
    await app.close();
  });

  /** Plays a mode against one request; resolves with the reply once it is complete. */
  async function play(mode: FailureMode, stream: boolean): Promise<Response> {
    const { replies, run } = mode.begin(protocol);
    upstream.willReply(...replies);
    const reply = app.chat({ model, stream });
    const whole = reply.then(async (response) => new Response(await response.text(), response));
    const openRecords = () => app.container.store.listExpired(Number.MAX_SAFE_INTEGER, 1);
    await run?.({
      clock,
      attemptsOver: () => app.logLines.filter((line) => line.includes('"model call"')).length,
      receivedTokens: async () => (await openRecords())[0]?.calls[0]?.completionTokens ?? 0,
    });
    let over = false;
    void whole.finally(() => {
      over = true;
    });
    await until(() => over);
    return whole;
  }

  /** The record of a request. The store may still be writing when the clock has already run past its time. */
  async function ledgerOf(response: Response) {
    const find = () => app.container.store.findRecord(response.headers.get('x-request-id') ?? '');
    await until(async () => (await find())?.state !== 'open');
    return (await find()) ?? { state: 'missing', calls: [] };
  }

  const rows = FAILURE_MODES.flatMap((mode) => [
    { mode, stream: true, how: 'stream' as const },
    { mode, stream: false, how: 'json' as const },
  ]);

  it.each(rows)(
    '$mode.name, in a reply as $how, costs no call too many and is recorded whole',
    async ({ mode, stream, how }) => {
      const response = await play(mode, stream);
      const { state, calls } = await ledgerOf(response);
      const fault = mode.fault?.[how];
      const text = await response.clone().text();
      expect(text).not.toMatch(/UPSTREAM-WORDS|secret upstream/);
      expect(upstream.requests).toHaveLength(mode.calls[how]);
      expect({ state, calls: calls.length }).toEqual({ state: 'settled', calls: mode.calls[how] });
      if (fault !== undefined) {
        expect(text).toContain(`${model} (${fault})`);
        if (stream) expect(text).not.toContain('[DONE]');
        else expect(response.status).toBe(STATUS_OF[fault] ?? 500);
        expect(calls.at(-1)?.outcome).toMatch(/failed|aborted/);
        return;
      }
      expect(response.status).toBe(200);
      const content = stream ? (await readStream(response)).content : contentOf(text);
      expect(content.endsWith(FIXTURE_TEXTS.join(''))).toBe(true);
      expect(calls.at(-1)).toMatchObject({ outcome: 'ok', estimated: false, ...REPORTED });
    },
  );
});
