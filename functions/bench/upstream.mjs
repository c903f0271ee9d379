// A stand-in for a model provider that speaks OpenAI chat completions, as a process of its own so that its CPU time is not
// the server's. Prints its port as JSON. `GET /records` returns and forgets the calls whose prompt carried a tag.
import { createServer } from 'node:http';
import { draft, fakeModel, pieceOf, textOf } from './fake-models.mjs';
import { monotonicMs } from './processes.mjs';

const USAGE = { prompt_tokens: 12, completion_tokens: 8, total_tokens: 20 };
let records = [];

const server = createServer((req, res) => {
  const openedMs = monotonicMs();
  if (req.url === '/records') {
    sendJson(res, 200, records);
    records = [];
    return;
  }
  if (req.method === 'GET') {
    sendJson(res, 200, { object: 'list', data: [] });
    return;
  }
  const parts = [];
  req.on('data', (part) => parts.push(part));
  req.on('end', () => answer(res, Buffer.concat(parts).toString(), openedMs));
});
server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', () => console.log(JSON.stringify({ port: server.address().port })));

function answer(res, text, openedMs) {
  const { model, stream, stream_options: options } = JSON.parse(text);
  const fake = fakeModel(model);
  if (!fake) return sendJson(res, 404, { error: { message: `no such model: ${model}`, type: 'not_found' } });
  const tag = /#(\w+)#/.exec(text)?.[1];
  if (tag) noteCall(res, { tag, openedMs });
  const whole = fake.isDraft ? draft() : textOf(fake, tag);
  if (!stream) return after(fake.delayMs, () => sendJson(res, 200, completion(model, whole)));
  const pieces = fake.isDraft ? [whole] : Array.from({ length: fake.chunks }, (_, index) => pieceOf(index, tag));
  return sendStream(res, {
    model,
    fake,
    pieces,
    firstDueMs: openedMs + fake.delayMs,
    hasUsage: options?.include_usage,
  });
}

/** Keeps how long a call was open. */
function noteCall(res, { tag, openedMs }) {
  const record = { tag, openedMs, closedMs: null };
  records.push(record);
  res.once('close', () => {
    record.closedMs = monotonicMs();
  });
}

function sendStream(res, { model, fake, pieces, firstDueMs, hasUsage }) {
  // As long as a real provider's.
  const head = `"id":"chatcmpl-fake","object":"chat.completion.chunk","created":0,"model":${JSON.stringify(model)}`;
  const start = `data: {${head},"service_tier":"default","system_fingerprint":"fp_fake","choices":[{"index":0,"delta":`;
  const end = (reason) => `,"logprobs":null,"finish_reason":${reason}}],"usage":null}\n\n`;
  let next = 0;
  res.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-cache' });
  res.write(`${start}{"role":"assistant","content":""}${end('null')}`);
  after(fake.delayMs, step);

  function step() {
    if (res.destroyed) return;
    do {
      res.write(`${start}{"content":${JSON.stringify(pieces[next])}}${end('null')}`);
      next += 1;
    } while (fake.paceMs === 0 && next < pieces.length);
    if (next < pieces.length) return after(firstDueMs + next * fake.paceMs - monotonicMs(), step);
    const usage = `data: {${head},"choices":[],"usage":${JSON.stringify(USAGE)}}\n\n`;
    res.end(`${start}{}${end('"stop"')}${hasUsage ? usage : ''}data: [DONE]\n\n`);
  }
}

function completion(model, content) {
  const message = { role: 'assistant', content, refusal: null };
  const choices = [{ index: 0, message, logprobs: null, finish_reason: 'stop' }];
  return { id: 'chatcmpl-fake', object: 'chat.completion', created: 0, model, choices, usage: USAGE };
}

function sendJson(res, status, body) {
  const bytes = Buffer.from(JSON.stringify(body));
  res.writeHead(status, { 'content-type': 'application/json', 'content-length': bytes.length }).end(bytes);
}

function after(delayMs, work) {
  if (delayMs <= 0) work();
  else setTimeout(work, delayMs);
}
