import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { during } from '../support/during';
import { type Exchange, event, type Reply, sendStatus, startFakeUpstream } from '../support/fake-upstream';
import { isLongMode } from '../support/long-mode';
import { temporaryDirectory } from '../support/temporary-directory';
import { WIRES, wireEvents } from '../support/wires';
import { workerPool } from '../support/worker-pool';
import { OPENAI } from './upstream-app';

/** Calls whose prompt has this word begin to answer, and then wait until they are given up. */
const NEVER_ENDS = 'never-ends';
/** The last piece that such a call says. */
const LAST_WORDS = 'second ';

/** One call in twenty fails: refused, cut off without a word, or broken off after a word that is billed. */
const FAULTS: readonly Reply[] = [
  sendStatus(500, 'down'),
  (exchange) => exchange.cut(),
  (exchange) => exchange.end(OPENAI.text('first ', bill(exchange, 1)) + event({ error: { type: 'server_error' } })),
  sendStatus(429, 'slow down', { 'retry-after': '0' }),
];
const FAULT_EVERY = 20;

/** A provider that keeps its own bill: the last report of each call that said something. */
async function startSoakUpstream() {
  let calls = 0;
  const billed = { promptTokens: 0, completionTokens: 0 };
  const count = ({ prompt_tokens, completion_tokens }: ReturnType<typeof bill>): void => {
    billed.promptTokens += prompt_tokens;
    billed.completionTokens += completion_tokens;
  };
  const server = await startFakeUpstream((exchange) => {
    calls += 1;
    const { body } = exchange.request;
    if (body.includes(NEVER_ENDS)) {
      count(bill(exchange, 2));
      exchange.write(OPENAI.text('first ', bill(exchange, 1)));
      return exchange.write(OPENAI.text(LAST_WORDS, bill(exchange, 2)));
    }
    if (calls % FAULT_EVERY === 0) {
      const kind = (calls / FAULT_EVERY) % FAULTS.length;
      if (kind === 2) count(bill(exchange, 1));
      return FAULTS[kind]?.(exchange);
    }
    count(bill(exchange, 3));
    const texts = ['first ', LAST_WORDS, 'third.'].map((text, index) => OPENAI.text(text, bill(exchange, index + 1)));
    exchange.end(texts.join('') + OPENAI.end + OPENAI.done);
  });
  return {
    url: server.url,
    billed,
    /** Forgets the requests, which the fake keeps. */
    forget: () => {
      server.requests.length = 0;
    },
    close: server.close,
  };
}

/** Usage of a call so far: by its prompt, and a token for each piece. */
function bill({ request }: Exchange, completionTokens: number) {
  return { prompt_tokens: 20 + (request.body.length % 97), completion_tokens: completionTokens };
}

/** Each user may make 30 a minute. */
const USERS = 120;
const REQUESTS_A_SECOND = 25;
const SECONDS = Number(process.env['SOAK_SECONDS'] ?? (isLongMode ? 600 : 6));
/** Between samples of what the service holds. */
const SAMPLE_EVERY = Math.min(10, Math.ceil(SECONDS / 6)) * REQUESTS_A_SECOND;
/** Caches fill for some minutes, and V8 drops compiled code that was not used for a while. */
const WARM_UP_SECONDS = Math.max(SECONDS / 4, Math.min(150, SECONDS / 2));
/** A line through fewer samples tells of nothing but what is random in them: a hundredth of what is held. */
const MEASURES_SLOPE = SECONDS >= 600;
/**
 * Allowance for compiled code: it lies in the heap too, and takes longer to come to an end than this test:
 * bounded by the program, which is not what a leak is. It is told apart, and may grow by this much in all.
 */
const COMPILED_BYTES_MAX = 2 * 1024 * 1024;
const HOUR_MS = 3_600_000;
const MIB = 1024 * 1024;

interface Sample {
  readonly atMs: number;
  /** Without what V8 compiled. */
  readonly heapBytes: number;
  readonly compiledBytes: number;
  readonly handles: number;
}

const messages = (text: string) => [{ role: 'user', content: text }];
const judge = { id: 'gpt-4o-mini', name: 'J' };
const responses = [{ modelId: 'a', modelName: 'A', response: 'Because.' }];
const ensemble = { models: ['gpt-4o', 'gpt-4o-mini'] };
const CHAT = '/v1/chat/completions';
/** Ten requests; one of them is left by its client. */
const MIX: readonly (readonly [path: string, body: object])[] = [
  [CHAT, { model: 'gpt-4o-mini', messages: messages('Why?') }],
  ['/openai/v1/chat/completions', { model: 'gpt-4o-mini', messages: messages('Why?'), stream: true }],
  [CHAT, { model: 'gpt-4o', messages: messages('Why not?'), stream: true, ai_ensemble: ensemble }],
  [CHAT, { model: 'gpt-4o-mini', messages: messages(NEVER_ENDS), stream: true }],
  ['/v1/responses', { model: 'gpt-4o-mini', input: 'Why?' }],
  ['/openai/v1/responses', { model: 'gpt-4o', input: 'Why?', stream: true, ai_ensemble: { ...ensemble, rounds: 2 } }],
  ['/v1/evaluations', { prompt: 'Why?', responses, judge_models: [judge] }],
  [CHAT, { model: 'gpt-4o', messages: messages('How?'), reasoning: { effort: 'low' } }],
  [CHAT, { model: 'gpt-4o', messages: messages('How?'), ai_ensemble: { ...ensemble, includeCandidates: true } }],
  ['/anthropic/v1/messages', { model: 'gpt-4o-mini', messages: messages('When?'), max_tokens: 99, stream: true }],
];

describe(`${SECONDS} seconds at ${REQUESTS_A_SECOND} requests a second, aborts 10 %, faults 5 %`, () => {
  const pool = workerPool(join(__dirname, 'soak-worker.ts'), ['--expose-gc']);
  const directory = during('all', temporaryDirectory);
  const upstream = during('all', startSoakUpstream);

  it(
    'leave the heap and the handles as they were, and the books as the upstream bills',
    async () => {
      const worker = pool.start(directory.path, upstream.url, String(USERS));
      await worker.printed(1);
      const { port, keys } = JSON.parse(worker.lines[0] ?? '') as { port: number; keys: readonly string[] };

      const samples: Sample[] = [];
      const sample = async (): Promise<void> => {
        worker.send('sample');
        await worker.printed(samples.length + 2);
        samples.push({ atMs: performance.now(), ...JSON.parse(worker.lines.at(-1) ?? '') });
        upstream.forget();
      };
      const flaws: string[] = [];
      let open: Promise<void>[] = [];
      let nextAtMs = performance.now();
      const requests = SECONDS * REQUESTS_A_SECOND;
      for (let index = 0; index < requests; index += 1) {
        const [path, body] = MIX[index % MIX.length] ?? [CHAT, {}];
        open.push(send({ port, path, key: keys[index % USERS] }, body).then((flaw) => void (flaw && flaws.push(flaw))));
        nextAtMs += 1_000 / REQUESTS_A_SECOND;
        await pause(Math.max(0, nextAtMs - performance.now()));
        if ((index + 1) % SAMPLE_EVERY !== 0) continue;
        await Promise.all(open);
        open = [];
        await sample();
        nextAtMs = performance.now();
      }
      await Promise.all(open);
      await sample();
      const settled = samples.slice(Math.floor((samples.length * WARM_UP_SECONDS) / SECONDS));
      const half = Math.floor(settled.length / 2);
      const most = (of: readonly Sample[]) => Math.max(...of.map(({ handles }) => handles));
      const growth = slopeBytesAnHour(settled);
      const compiled = grown(settled, 'compiledBytes');
      const told = samples.map(({ heapBytes, handles }) => `${(heapBytes / MIB).toFixed(3)} MiB ${handles}`);
      if (isLongMode)
        console.log(`${told.join(', ')}: ${(growth / MIB).toFixed(3)} MiB an hour, compiled ${compiled} bytes`);
      expect(flaws).toEqual([]);
      expect(await booked(port, keys)).toEqual({ requests, ...upstream.billed });
      expect(most(settled.slice(half))).toBeLessThanOrEqual(most(settled.slice(0, half)) + 8);
      expect(compiled).toBeLessThan(COMPILED_BYTES_MAX);
      if (MEASURES_SLOPE) expect(growth).toBeLessThanOrEqual(MIB);
      else expect(grown(settled, 'heapBytes')).toBeLessThan(2 * MIB);
    },
    (SECONDS * 2 + 60) * 1_000,
  );
});

interface Target {
  readonly port: number;
  readonly path: string;
  readonly key: string | undefined;
}

/** Makes a request on a connection of its own and reads its reply; what is wrong with that, in words. */
async function send({ port, path, key }: Target, body: object): Promise<string | undefined> {
  const json = JSON.stringify(body);
  const headers = { authorization: `Bearer ${key}`, connection: 'close' };
  const sent = request({ host: '127.0.0.1', port, path, method: 'POST', headers, agent: false });
  sent.on('error', () => undefined);
  sent.end(json);
  const [reply] = (await once(sent, 'response')) as [IncomingMessage];
  let text = '';
  for await (const piece of reply.setEncoding('utf8')) {
    text += piece;
    if (json.includes(NEVER_ENDS) && text.includes(LAST_WORDS)) return void sent.destroy();
  }
  const isWhole = json.includes('"stream":true') ? hasEnd(path, text) : text.endsWith('}');
  const isExpected = reply.statusCode === 200 || (reply.statusCode === 500 && !text.includes('Internal server error'));
  return isWhole && isExpected ? undefined : `${path}: ${reply.statusCode} ${text.slice(-200)}`;
}

/** True if a stream ends, be it with an error; one that fails before its first event is no stream. */
function hasEnd(path: string, text: string): boolean {
  if (text.startsWith('{')) return text.endsWith('}');
  const end = WIRES.find((wire) => wire.path === path)?.streamed(wireEvents(text));
  return end?.isWhole !== (end?.error !== undefined);
}

/** Usage of all users together, as reported to them. */
async function booked(port: number, keys: readonly string[]) {
  const sum = { requests: 0, promptTokens: 0, completionTokens: 0 };
  // A request belongs to the month in which it began.
  const since = Math.floor(Date.now() / 1_000) - 3_600;
  for (const key of keys) {
    const url = `http://127.0.0.1:${port}/v1/usage?start_date=${since}`;
    const response = await fetch(url, { headers: { authorization: `Bearer ${key}` } });
    const { data } = (await response.json()) as { data: Record<string, number>[] };
    sum.requests += data[0]?.['n_requests'] ?? 0;
    sum.promptTokens += data[0]?.['n_context_tokens_total'] ?? 0;
    sum.completionTokens += data[0]?.['n_generated_tokens_total'] ?? 0;
  }
  return sum;
}

/** Growth from the beginning to the end. */
function grown(samples: readonly Sample[], what: 'heapBytes' | 'compiledBytes'): number {
  return (samples.at(-1)?.[what] ?? 0) - (samples[0]?.[what] ?? 0);
}

/** Slope of the line with the least squared distances. */
function slopeBytesAnHour(samples: readonly Sample[]): number {
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const meanMs = mean(samples.map(({ atMs }) => atMs));
  const meanBytes = mean(samples.map(({ heapBytes }) => heapBytes));
  const covariance = mean(samples.map(({ atMs, heapBytes }) => (atMs - meanMs) * (heapBytes - meanBytes)));
  return (covariance / mean(samples.map(({ atMs }) => (atMs - meanMs) ** 2))) * HOUR_MS;
}
