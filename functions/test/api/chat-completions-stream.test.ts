import { sleep } from '../../src/lib/clock';
import type { ModelProvider, ProviderCall } from '../../src/models/model';
import { ModelFault } from '../../src/models/model-fault';
import { RUN_ENDPOINTS, startApp } from '../support/app';
import { during } from '../support/during';
import { fakeClock } from '../support/fake-clock';
import { PLAIN } from '../support/scripted-models';
import { until } from '../support/until';
import { readStream, type WireChunk, type WireStream } from '../support/wire';

const NOW_MS = Date.UTC(2026, 0, 15, 12, 0);
const HEAD = { id: `chatcmpl-${NOW_MS}`, object: 'chat.completion.chunk', created: NOW_MS / 1000, model: 'demo-ada' };
const PANEL = { models: ['demo-blaise', 'demo-curie'] };
const EVERYTHING = {
  reasoning: { effort: 'high' },
  ai_ensemble: { ...PANEL, rounds: 2, includeCandidates: true, includeFollowUpPrompts: true },
};
const REQUESTS = [
  { rule: 'one model', fields: {} },
  { rule: 'everything asked for', fields: EVERYTHING },
  { rule: 'a virtual model', fields: { model: 'ensemble-expert-panel' } },
];

/** Purpose of a chunk, by its fields alone. */
function kindOf({ choices, status, candidates, usage }: WireChunk): string {
  const [choice] = choices;
  if (usage) return 'usage';
  if (candidates) return 'candidates';
  if (status !== undefined) return 'progress';
  if (choice?.finish_reason === 'stop') return 'final';
  if (choice?.delta.role !== undefined) return 'opening';
  return choice?.delta.content === undefined ? 'unknown' : 'delta';
}

/** The kinds in order, neighbours of one kind once. */
function order({ chunks }: WireStream): string[] {
  return chunks.map(kindOf).filter((kind, index, kinds) => kind !== kinds[index - 1]);
}

const app = during('each', startApp);

const streamed = async (fields: object = {}): Promise<WireStream> =>
  readStream(await app.chat({ ...fields, stream: true }));
const delta = (held: object) => [{ index: 0, delta: held, finish_reason: null }];

describe('chunks of a stream', () => {
  it('come in the documented order, each with the same head, [DONE] last', async () => {
    const stream = await streamed(EVERYTHING);
    expect(order(stream)).toEqual(['opening', 'progress', 'delta', 'candidates', 'usage', 'final']);
    for (const kind of ['opening', 'candidates', 'usage', 'final'])
      expect(stream.chunks.filter((chunk) => kindOf(chunk) === kind)).toHaveLength(1);
    for (const { id, object, created, model } of stream.chunks) expect({ id, object, created, model }).toEqual(HEAD);
    expect(stream.raw.endsWith('\n\ndata: [DONE]\n\n')).toBe(true);
    expect(stream.raw.split('[DONE]')).toHaveLength(2);
    // Never a draft, a revision or the analysis.
    expect(stream.content).toBe('Botanically it is a berry.');
  });

  it('of everything: only the first has a role, progress has a status, the last have what was asked for', async () => {
    const { chunks } = await streamed(EVERYTHING);
    const of = (kind: string) => chunks.filter((chunk) => kindOf(chunk) === kind);
    expect(of('opening')).toStrictEqual([{ ...HEAD, choices: delta({ role: 'assistant', content: '' }) }]);
    expect(of('progress').length).toBeGreaterThan(2);
    for (const chunk of of('progress'))
      expect(chunk).toStrictEqual({ ...HEAD, choices: delta({}), status: expect.stringMatching(/\S/) });
    const candidates = ['Demo Blaise', 'Demo Curie'].map((model) => ({
      model,
      text: 'A better draft.',
      reasoning: '',
    }));
    expect(of('candidates')).toStrictEqual([{ ...HEAD, choices: delta({}), candidates }]);
    const choice = {
      index: 0,
      delta: {},
      finish_reason: 'stop',
      explanation: 'Both say that it is a berry.',
      agreement: { share: 1, measuredOn: 'final_answers', words: 'Both final answers are the same.' },
      followUpPrompts: ['Which berries are sweet?', 'Is a cucumber one?', 'Who decides?'],
    };
    expect(of('final')).toStrictEqual([{ ...HEAD, choices: [choice] }]);
  });

  it('of one model: the deltas are its answer and nothing else, the last has finish_reason alone', async () => {
    const answer = 'A berry — “Beere” 🍅,\n\nsurely.';
    app.models.play(() => ({ text: answer, usage: { promptTokens: 0, completionTokens: 0 } }));
    const stream = await streamed();
    const { chunks, content } = stream;
    expect(content).toBe(answer);
    // There is no usage where no tokens were consumed.
    expect(order(stream)).toEqual(['opening', 'progress', 'delta', 'final']);
    for (const chunk of chunks.filter((each) => kindOf(each) === 'delta'))
      expect(chunk).toStrictEqual({ ...HEAD, choices: delta({ content: expect.any(String) }) });
    expect(chunks.at(-1)).toStrictEqual({ ...HEAD, choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] });
  });

  // A demo model costs 100 nano-USD a prompt token and 400 a completion token; a unit is 1000 nano-USD.
  it.each([
    [3, 1, 1],
    [2, 2, 1],
    [3, 2, 2],
  ])('usage has no choices; %i and %i tokens are %i units, rounded up', async (...row) => {
    const [promptTokens, completionTokens, unifiedTokens] = row;
    app.models.play(() => ({ text: 'Yes.', usage: { promptTokens, completionTokens } }));
    const [chunk] = (await streamed()).chunks.filter((each) => kindOf(each) === 'usage');
    expect(chunk).toMatchObject({ ...HEAD, choices: [], usage: { unifiedTokens } });
  });

  it.each(REQUESTS)('say the same as the reply in one piece: $rule', async ({ fields }) => {
    app.models.play((call) => ({
      ...PLAIN(call),
      usage: { promptTokens: 9, completionTokens: 1, cachedPromptTokens: 4 },
    }));
    const { body } = await app.complete(fields);
    const { content, chunks } = await streamed(fields);
    const [choice] = body.choices;
    const final = chunks.at(-1);
    expect(content).toBe(choice.message.content);
    expect(final?.choices[0]?.explanation).toBe(choice.message.explanation);
    expect(final?.choices[0]?.followUpPrompts).toEqual(choice.followUpPrompts);
    expect(final?.degraded).toEqual(body.degraded);
    const { unifiedTokens: _, ...usage } = chunks.find((chunk) => chunk.usage)?.usage ?? {};
    expect(usage).toEqual(body.usage);
    const texts = chunks.find((chunk) => chunk.candidates)?.candidates?.map(({ text }) => text);
    expect(texts).toEqual(choice.candidates?.map(({ response }) => response));
  });

  it.each(REQUESTS)('of /v1/responses are those of chat, byte for byte but for the id: $rule', async ({ fields }) => {
    const { raw } = await streamed(fields);
    await using other = await startApp();
    const [, { path, body }] = RUN_ENDPOINTS;
    const response = await readStream(await other.post(path, { ...body, ...fields, stream: true }));
    expect(response.raw).toBe(raw.replaceAll('"id":"chatcmpl-', '"id":"resp_'));
    expect(response.raw).not.toBe(raw);
  });
});

describe('a stream’s headers, silence and end', () => {
  /** The stream of a plain id whose model is silent: it begins after two seconds. */
  const begun = async (of = app): Promise<Response> => {
    const asked = of.chat({ stream: true });
    await until(() => of.models.calls.length > 0);
    await of.clock.advance(2_000);
    return asked;
  };

  it.each(RUN_ENDPOINTS)('$path: headers of an event stream, the request id and the rate limit', async (endpoint) => {
    const { headers, status } = await app.post(endpoint.path, { ...endpoint.body, stream: true });
    expect(status).toBe(200);
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-cache, no-transform',
      'x-accel-buffering': 'no',
      'x-content-type-options': 'nosniff',
      'x-request-id': expect.stringMatching(/^[0-9a-f]{32}$/),
      'x-ratelimit-limit-requests': '30',
      'x-ratelimit-remaining-requests': '29',
      'x-ratelimit-reset-requests': '60s',
    });
  });

  it.each([
    { rule: 'headers and opening before any model has answered; none in 9.999 s', silentMs: 9_999, repeats: 0 },
    { rule: 'one after 10 s', silentMs: 10_000, repeats: 1 },
    { rule: 'three in 35 s', silentMs: 35_000, repeats: 3 },
  ])('the last status is repeated after every 10 s of silence: $rule', async ({ silentMs, repeats }) => {
    app.models.play(() => ({ text: 'At last.', delayMs: 2_001 + silentMs }));
    // Resolves with the headers; the rest of the model's time passes only afterwards.
    const response = await begun();
    await app.clock.advance(silentMs + 1);
    const { chunks, content, done } = await readStream(response);
    const progress = chunks.filter(({ status }) => status !== undefined);
    expect(progress).toEqual(Array.from({ length: 1 + repeats }, () => progress[0]));
    expect({ content, done }).toEqual({ content: 'At last.', done: true });
  });

  it('one that would not end is stopped after 525 s with a StreamError', async () => {
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
    await using endless = await startApp({ clock, provider: babbling });
    const asked = endless.chat({ stream: true });
    await until(() => calls.length > 0);
    await clock.advance(2_000);
    const response = await asked;
    await clock.advance(522_999);
    expect(calls.map(({ signal }) => signal.aborted)).toEqual([false]);
    await clock.advance(1);
    expect(calls.map(({ signal }) => signal.aborted)).toEqual([true]);
    const { chunks, done } = await readStream(response);
    expect(chunks.at(-1)).toStrictEqual({ error: expect.any(String) });
    expect(done).toBe(false);
  });
});
