import type { ProviderCall } from '../../src/models/model';
import { ModelFault } from '../../src/models/model-fault';
import { CHAT_PATH, RUN_ENDPOINTS, startApp, watchSettlement } from '../support/app';
import { during } from '../support/during';
import type { Script, ScriptedReply } from '../support/scripted-models';
import { readStream } from '../support/wire';

interface WireSource {
  readonly url: string;
  readonly title: string;
}
interface WireWeb {
  readonly sources?: readonly WireSource[];
  readonly unsupportedUrls?: readonly string[];
  readonly degraded?: readonly string[];
  readonly candidates?: readonly { readonly sources?: readonly WireSource[] }[];
  readonly choices?: readonly { readonly candidates?: readonly { readonly sources?: readonly WireSource[] }[] }[];
}

interface TracedWeb extends WireWeb {
  readonly type: string;
  readonly state?: string;
  readonly spend?: { readonly webSearches?: number };
}

const PAGE = { url: 'https://example.org/a', title: 'A' };
const OTHER = { url: 'https://example.org/b', title: 'B' };
const HOSTILE = { url: 'javascript:alert(1)', title: 'C' };
/** Claude and Gemini find a page each, GPT, which writes the answer, names one of them, one of the user's and two more. */
const FOUND: Script = (call) => {
  const { providerModel, purpose } = call;
  if (purpose === 'answer' && !call.prompt.webSearch)
    return { text: 'By https://www.example.org/b/ and https://user.org, not https://x.org/1 or https://x.org/2.' };
  if (!call.prompt.webSearch) return { text: 'I know it without.' };
  const page = providerModel.startsWith('claude') ? PAGE : OTHER;
  return { text: `As ${page.title} says.`, web: { searches: 3, pages: [{ ...page, isCited: true }, HOSTILE] } };
};
const PANEL = ['claude-haiku-4-5', 'gemini-3.8-flash', 'demo-slow', 'demo-slow'];
const REQUEST = {
  model: 'gpt-4o',
  ai_ensemble: { models: PANEL, webSearch: true, includeCandidates: true },
};
const ASKED = {
  messages: [{ role: 'user', content: 'Is https://user.org right?' }],
  input: 'Is https://user.org right?',
};

const REFUSED: ScriptedReply = { text: '', usage: null, fault: new ModelFault('bad_request') };

const searching = (calls: readonly ProviderCall[]): string[] =>
  calls.filter(({ prompt }) => prompt.webSearch).map(({ providerModel }) => providerModel);

describe.each(RUN_ENDPOINTS)('POST $path: ai_ensemble.webSearch', ({ path, body, send }) => {
  const app = during('each', () => startApp({ script: FOUND }));
  const field = path === CHAT_PATH ? 'messages' : 'input';
  const request = { ...REQUEST, [field]: ASKED[field] };

  it('lets participants that can search, tells what they found, and marks addresses that come from nowhere', async () => {
    const { body: reply, calls } = await send(app, request);
    const { sources, unsupportedUrls, degraded, candidates, choices } = reply as WireWeb;
    expect(searching(calls)).toEqual(PANEL.slice(0, 2));
    expect(calls.filter(({ prompt }) => prompt.system?.includes('You can search the web.'))).toHaveLength(2);
    // Cited first; nothing but addresses of the web.
    expect(sources).toEqual([OTHER, PAGE]);
    expect(unsupportedUrls).toEqual(['https://x.org/1', 'https://x.org/2']);
    expect(degraded).toEqual([
      'Demo Slow ran without web search: its model has no tools',
      '2 addresses in the answer stand in no text that it was made from',
    ]);
    expect((candidates ?? choices?.[0]?.candidates)?.map((each) => each.sources)).toEqual([
      [PAGE],
      [OTHER],
      undefined,
      undefined,
    ]);
  });

  it('on demand both first drafts search, and an answer that is one of them has the pages of both', async () => {
    app.models.play((call) => {
      const { web } = FOUND(call);
      return { text: `It is worked out.\nAnswer: 42`, ...(web && { web }) };
    });
    const { body: reply, calls } = await send(app, {
      ...request,
      ai_ensemble: { ...REQUEST.ai_ensemble, mode: 'auto' },
    });
    expect(searching(calls)).toEqual(['gpt-4o', 'claude-haiku-4-5']);
    expect(calls).toHaveLength(2);
    expect((reply as WireWeb).sources).toEqual([OTHER, PAGE]);
  });

  it('shows the author of the answer the pages below their texts, as data', async () => {
    const { calls } = await send(app, request);
    const prompt = calls.find(({ purpose }) => purpose === 'answer')?.prompt.turns.at(-1)?.text ?? '';
    expect(prompt).toMatch(
      /<<\S+ [A-D]>>\nAs A says\.\n\nPages its author found on the web:\n- A: https:\/\/example\.org\/a\n<<\S+ end [A-D]>>/,
    );
    expect(prompt.match(/Pages its author found/g)).toHaveLength(2);
  });

  it('streams the same', async () => {
    const fields = { ...request, stream: true };
    const { chunks } = await readStream(await app.post(path, { ...body, ...fields }));
    const last = chunks.at(-1) as WireWeb;
    expect(last.sources).toEqual([OTHER, PAGE]);
    expect(last.unsupportedUrls).toEqual(['https://x.org/1', 'https://x.org/2']);
    const listed = chunks.find((chunk) => 'candidates' in chunk) as WireWeb;
    expect(listed.candidates?.map((each) => each.sources)).toEqual([[PAGE], [OTHER], undefined, undefined]);
  });

  it('is in the trace: what each call found and paid, and what the answer has to do with it', async () => {
    const { ai_ensemble: options } = request;
    const { body: reply } = await send(app, { ...request, ai_ensemble: { ...options, includeTrace: true } });
    const { trace } = reply as unknown as { trace: readonly TracedWeb[] };
    const ended = trace.filter(({ state }) => state === 'done');
    expect(ended.slice(0, 2).map(({ sources, spend }) => [sources, spend?.webSearches])).toEqual([
      [[PAGE], 3],
      [[OTHER], 3],
    ]);
    expect(ended.slice(2).filter((event) => event.sources ?? event.spend?.webSearches)).toEqual([]);
    expect(trace.find(({ type }) => type === 'verdict')).toMatchObject({
      sources: [OTHER, PAGE],
      unsupportedUrls: ['https://x.org/1', 'https://x.org/2'],
    });
  });

  it('is not made, and nothing is looked at, where nobody asked for it', async () => {
    const { body: reply, calls } = await send(app, { ...request, ai_ensemble: { models: PANEL } });
    expect(searching(calls)).toEqual([]);
    expect(reply).not.toHaveProperty('sources');
    expect(reply).not.toHaveProperty('unsupportedUrls');
  });

  it('is a switch', async () => {
    const { status, text } = await send(app, { ai_ensemble: { webSearch: 'yes' } });
    expect([status, text]).toEqual([400, expect.stringContaining('Invalid ai_ensemble.webSearch: must be a boolean')]);
  });
});

describe('what a search costs', () => {
  it('is booked by searches, as the provider bills them, and tells in usage', async () => {
    const { settled, wrapStore } = watchSettlement();
    await using app = await startApp({ script: FOUND, wrapStore });
    const usage = { promptTokens: 0, completionTokens: 0 };
    app.models.play((call) => ({ ...FOUND(call), usage }));
    const { body } = await app.complete(REQUEST);
    const rows = (await settled).calls.map(({ modelId, webSearches, costNanoUsd }) => [
      modelId,
      webSearches,
      costNanoUsd,
    ]);
    // Three of $10 and three of $14 for a thousand.
    expect(rows.slice(0, 2)).toEqual([
      ['claude-haiku-4-5', 3, 30_000_000],
      ['gemini-3.8-flash', 3, 42_000_000],
    ]);
    expect(rows.slice(2).map(([, searches]) => searches)).toEqual([undefined, undefined, undefined]);
    expect(body.usage).toMatchObject({ web_searches: 6 });
  });

  it('is planned: two searches of a cent each, and what they add to the prompt', async () => {
    await using app = await startApp();
    const costOf = async (webSearch: boolean) => {
      const { body } = await app.complete({ model: 'gpt-4o', ai_ensemble: { webSearch, dryRun: true } });
      const { costUsd } = (body as unknown as { plan: { costUsd: { high: number } } }).plan;
      return costUsd.high;
    };
    // 2 × $0.01 and 12,000 tokens of $2.50 a million.
    expect((await costOf(true)) - (await costOf(false))).toBeGreaterThan(0.02 + 0.03);
  });
});

describe('a cap', () => {
  it('counts five searches of each participant: what it holds without them, the author of the answer does alone', async () => {
    await using app = await startApp({ script: FOUND });
    const sentences = async (webSearch: boolean) => {
      const options = { models: PANEL.slice(0, 2), webSearch, maxCostUsd: 0.08 };
      const { body, calls } = await app.complete({ model: 'gpt-4o', ai_ensemble: options });
      expect(searching(calls)).toEqual([]);
      return (body as WireWeb).degraded?.[0];
    };
    expect(await sentences(false)).toBeUndefined();
    expect(await sentences(true)).toBe(
      'Only GPT-4o was asked, without web search: more could cost more than maxCostUsd',
    );
  });
});

describe('what does not go together with a search', () => {
  const TOOLS = [{ type: 'function', function: { name: 'now' } }];
  it.each([
    ['tools of the request', { tools: TOOLS }, 'No web search: the request has tools of its own'],
    ['a form of the answer', { response_format: { type: 'json_object' } }, 'No web search: the answer is to be JSON'],
  ])('%s, of a model that answers alone: it goes on without, and it is said', async (_, fields, sentence) => {
    await using app = await startApp({ script: () => ({ text: '{"a": 1}' }) });
    const { body, calls } = await app.complete({ model: 'gpt-4o', ai_ensemble: { webSearch: true }, ...fields });
    expect(searching(calls)).toEqual([]);
    expect((body as WireWeb).degraded).toEqual([sentence]);
  });

  it('a server of one’s own behind OPENAI_BASE_URL', async () => {
    const env = { OPENAI_BASE_URL: 'http://127.0.0.1:9/v1' };
    await using app = await startApp({ env, script: () => ({ text: 'Yes.' }) });
    const { body, calls } = await app.complete({ model: 'gpt-4o', ai_ensemble: { webSearch: true } });
    expect(searching(calls)).toEqual([]);
    expect((body as WireWeb).degraded).toEqual(['GPT-4o ran without web search: its server has no search']);
  });

  it('a model that refuses: it is asked again without, and it is said', async () => {
    await using app = await startApp();
    app.models.play((call) => (call.prompt.webSearch ? REFUSED : { text: 'From memory.' }));
    const { body, calls } = await app.complete({ model: 'gpt-4o', ai_ensemble: { webSearch: true } });
    expect(calls.map(({ prompt }) => prompt.webSearch)).toEqual([true, undefined]);
    expect((body as WireWeb).degraded).toEqual(['GPT-4o ran without web search: it was refused']);
  });
});
