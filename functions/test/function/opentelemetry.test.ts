import { once } from 'node:events';
import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { type FakeUpstream, sendEvents, sendStatus, startFakeUpstream } from '../support/fake-upstream';
import { startForwardProxy } from '../support/forward-proxy';
import { PROTOCOLS } from '../support/protocols';
import { temporaryDirectory } from '../support/temporary-directory';
import { startServer } from './servers';

/** A part of what OTLP's JSON holds, as deep as tests look. */
interface Otlp {
  readonly name: string;
  readonly unit: string;
  readonly kind: number;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string;
  readonly status: { readonly code: number };
  readonly histogram: { readonly dataPoints: readonly { readonly sum: number }[] };
}

/** Everything that lists of these names hold, however deep. */
function listed(value: unknown, ...names: readonly string[]): Otlp[] {
  const [name, ...rest] = names;
  if (name === undefined) return [value as Otlp];
  const list = (value as Record<string, readonly unknown[]>)[name] ?? [];
  return list.flatMap((one) => listed(one, ...rest));
}

/** An OpenTelemetry collector on a free port of 127.0.0.1: it takes OTLP over HTTP, as JSON, and keeps it. */
async function startCollector() {
  const bodies: { readonly path: string; readonly body: string }[] = [];
  const server = createServer(async (request, response) => {
    bodies.push({ path: request.url ?? '', body: await text(request) });
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** Bodies that were sent to a path. */
    read: (path: string): unknown[] => bodies.filter((sent) => sent.path === path).map(({ body }) => JSON.parse(body)),
    /** All that was sent. */
    text: () => bodies.map(({ body }) => body).join('\n'),
    close: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

/** The module of docs/opentelemetry.md, as it stands there, in the built function; what reaches a collector. */

const TRACE_ID = '0af7651916cd43dd8448eb211c80319c';
const CALLER_SPAN = 'b7ad6b7169203331';
const QUESTION = 'The secret of the tomato';
const ANSWER = 'Botanically a berry.';
const SERVER = 2;
const CLIENT = 3;
const ERROR = 2;

const FUNCTIONS = join(__dirname, '..', '..');
const page = readFileSync(join(FUNCTIONS, '..', 'docs', 'opentelemetry.md'), 'utf8');
const example = /```js\n([\s\S]*?)```/.exec(page)?.[1] ?? '';

const [openai] = PROTOCOLS;
const reply = openai?.reply(ANSWER, 31, 7) ?? '';

let directory: Awaited<ReturnType<typeof temporaryDirectory>>;
let upstream: FakeUpstream;
beforeEach(async () => {
  directory = await temporaryDirectory();
  upstream = await startFakeUpstream();
  mkdirSync(join(directory.path, 'sdk'));
  symlinkSync(join(FUNCTIONS, 'node_modules'), join(directory.path, 'sdk', 'node_modules'));
});
afterEach(async () => {
  await upstream.close();
  rmSync(join(directory.path, 'sdk'), { recursive: true });
  await directory.remove();
});

/** A function with a telemetry module of this text. */
function start(text: string, env: Record<string, string> = {}) {
  const module = join(directory.path, 'sdk', 'opentelemetry.cjs');
  writeFileSync(module, text);
  const provider = { OPENAI_API_KEY: 'sk-upstream-0123456789abcdef', OPENAI_BASE_URL: `${upstream.url}/v1` };
  return startServer({ env: { ...provider, TELEMETRY_MODULE: module, ...env } });
}

it('exports by way of a proxy where the environment names one', async () => {
  const collector = await startCollector();
  const proxy = await startForwardProxy();
  const server = await start(example, { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, HTTP_PROXY: proxy.url });
  await fetch(`${server.baseUrl}/v1/models`).then((response) => response.text());
  await server.stop();
  await Promise.all([collector.close(), proxy.close()]);
  expect(proxy.whatWasAsked()).toContain(`POST ${collector.url}/v1/traces`);
});

it('an SDK registered by TELEMETRY_MODULE gets GenAI metrics and spans, the last of them at the end', async () => {
  const collector = await startCollector();
  const server = await start(example, { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url });
  upstream.willReply(sendEvents(reply), sendStatus(401, { error: { message: 'no', type: 'invalid_request_error' } }));
  for (const model of ['gpt-4o', 'gpt-4o-mini']) {
    await fetch(`${server.baseUrl}/v1/chat/completions`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${server.key}`,
        'content-type': 'application/json',
        traceparent: `00-${TRACE_ID}-${CALLER_SPAN}-01`,
      },
      body: JSON.stringify({ model, messages: [{ role: 'user', content: QUESTION }] }),
    }).then((response) => response.text());
  }
  await server.stop();
  await collector.close();

  const sent = collector.read('/v1/metrics');
  expect(sent).toHaveLength(1);
  expect(JSON.stringify(sent)).toContain('"service.name","value":{"stringValue":"ensemble-api"}');
  const metrics = listed(sent[0], 'resourceMetrics', 'scopeMetrics', 'metrics');
  expect(metrics.map(({ name, unit, histogram }) => [name, unit, histogram.dataPoints.map(({ sum }) => sum)])).toEqual([
    ['gen_ai.client.operation.duration', 's', [expect.any(Number), expect.any(Number)]],
    ['gen_ai.client.token.usage', '{token}', [31, 7]],
  ]);

  const traces = collector.read('/v1/traces');
  const spans = traces.flatMap((one) => listed(one, 'resourceSpans', 'scopeSpans', 'spans'));
  expect(new Set(spans.map(({ traceId }) => traceId))).toEqual(new Set([TRACE_ID]));
  const requests = spans.filter(({ kind }) => kind === SERVER);
  const calls = spans.filter(({ kind }) => kind === CLIENT);
  expect(requests.map(({ name, parentSpanId }) => [name, parentSpanId])).toEqual([
    ['POST /v1/chat/completions', CALLER_SPAN],
    ['POST /v1/chat/completions', CALLER_SPAN],
  ]);
  expect(calls.map(({ name, parentSpanId, status }) => [name, parentSpanId, status.code])).toEqual([
    ['chat gpt-4o', requests[0]?.spanId, 0],
    ['chat gpt-4o-mini', requests[1]?.spanId, ERROR],
  ]);
  for (const words of [QUESTION, ANSWER, server.key, 'sk-upstream']) expect(collector.text()).not.toContain(words);
});
