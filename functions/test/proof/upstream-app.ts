import type { CallRow } from '../../src/ledger/call-row';
import { systemClock } from '../../src/lib/clock';
import { type App, startApp } from '../support/app';
import { type FakeUpstream, type Reply, startFakeUpstream } from '../support/fake-upstream';
import { until } from '../support/until';

/** The service, and one upstream over real HTTP that stands for OpenAI and for Gemini. */
export interface UpstreamApp extends AsyncDisposable {
  readonly app: App;
  readonly upstream: FakeUpstream;
  /** Rows that are recorded for a request, once it is settled. */
  rowsOf(response: Response): Promise<readonly CallRow[]>;
}

export async function startUpstreamApp(): Promise<UpstreamApp> {
  const upstream = await startFakeUpstream();
  const openai = { OPENAI_API_KEY: 'k', OPENAI_BASE_URL: `${upstream.url}/v1` };
  const google = { GEMINI_API_KEY: 'k', GEMINI_BASE_URL: upstream.url };
  const app = await startApp({ clock: systemClock, providers: {}, env: { ...openai, ...google } });
  return {
    app,
    upstream,
    rowsOf: async (response) => {
      const find = () => app.container.store.findRecord(response.headers.get('x-request-id') ?? '');
      await until(async () => (await find())?.state === 'settled');
      return (await find())?.calls ?? [];
    },
    [Symbol.asyncDispose]: async () => {
      await app.close();
      await upstream.close();
    },
  };
}

/** One event of an event stream. */
function frame(chunk: object): string {
  return `data: ${JSON.stringify(chunk)}\n\n`;
}

/** The pieces of a Chat Completions stream. */
export const OPENAI = {
  bill: (prompt_tokens: number, completion_tokens: number) => ({ prompt_tokens, completion_tokens }),
  text: (content: string, usage?: object): string =>
    frame({ choices: [{ delta: { content } }], ...(usage && { usage }) }),
  report: (usage: object): string => frame({ choices: [], usage }),
  error: (type: string): string => frame({ error: { type } }),
  end: frame({ choices: [{ delta: {}, finish_reason: 'stop' }] }),
  done: 'data: [DONE]\n\n',
} as const;

/** A piece of a Gemini stream; every piece has the bill so far. */
export function geminiPiece(text: string, promptTokenCount: number, candidatesTokenCount: number): string {
  const usageMetadata = { promptTokenCount, candidatesTokenCount };
  return frame({ candidates: [{ content: { parts: [{ text }] } }], usageMetadata });
}

/** Events, and then the connection breaks. */
export function thenCut(events: string): Reply {
  return (exchange) => {
    exchange.write(events);
    setImmediate(() => exchange.cut());
  };
}

/** Reads a reply until it has shown these words, then leaves. */
export async function readUntil(response: Response, words: string): Promise<void> {
  const reader = response.body?.getReader();
  for (let seen = ''; reader && !seen.includes(words); ) {
    seen += Buffer.from((await reader.read()).value ?? []).toString();
  }
  await reader?.cancel();
}
