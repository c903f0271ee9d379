// A stand-in for a model provider that speaks OpenAI chat completions, as a process of its own so that its CPU time is
// not the server's. Prints its port as JSON. `GET /records` returns and forgets the calls whose prompt carried a tag.
import { createServer } from 'node:http';
import { answerOf, fakeModel, pieceOf } from './fake-models.mjs';
import { replyTo } from './fake-replies.mjs';
import { monotonicMs } from './monotonic.mjs';

const USAGE = { prompt_tokens: 12, completion_tokens: 8, total_tokens: 20 };
const RECORDS_MAX = 10_000;
let records = [];
let replies = 0;

const server = createServer((req, res) => {
  const openedMs = monotonicMs();
  if (req.method === 'GET' && req.url === '/records') {
    sendJson(res, 200, records);
    records = [];
    return;
  }
  const parts = [];
  req.on('data', (part) => parts.push(part));
  req.on('end', () => answer(res, Buffer.concat(parts).toString(), openedMs));
});
server.listen(0, '127.0.0.1', () => console.log(JSON.stringify({ port: server.address().port })));

function answer(res, text, openedMs) {
  const body = JSON.parse(text);
  const fake = fakeModel(body.model);
  if (!fake) return sendJson(res, 404, { error: { message: `no such model: ${body.model}`, type: 'not_found' } });
  const record = openRecord(res, body, { tag: /#(\w+)#/.exec(text)?.[1], openedMs });
  if (body.stream) return stream(res, body, { fake, record });
  return afterMs(fake.delayMs, () => {
    record.firstContentMs = monotonicMs();
    sendJson(res, 200, completion(body.model, fake.reads ? replyOf(body) : answerOf(fake.chunks)));
  });
}

/** Notes when the call's first content was written and how long the call was open. */
function openRecord(res, { model }, { tag, openedMs }) {
  const record = { tag, model, openedMs, firstContentMs: null, closedMs: null };
  if (tag === undefined) return record;
  if (records.length < RECORDS_MAX) records.push(record);
  const close = () => {
    record.closedMs ??= monotonicMs();
  };
  res.once('finish', close).once('close', close);
  return record;
}

function stream(res, body, { fake, record }) {
  const { model, stream_options: options } = body;
  const { start, end } = chunkFrame(model);
  const pieces = fake.reads ? cut(replyOf(body), fake.chunks).map((piece) => JSON.stringify(piece)) : undefined;
  const said = fake.isTagged ? { tag: record.tag, isBrief: fake.isBrief } : {};
  const firstDueMs = record.openedMs + fake.delayMs;
  let next = 0;
  res.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-cache' });
  res.write(`${start}{"role":"assistant","content":""}${end}`);
  afterMs(fake.delayMs, step);

  function step() {
    if (res.destroyed) return;
    record.firstContentMs ??= monotonicMs();
    let isTaken = true;
    do {
      isTaken = res.write(`${start}{"content":${pieces?.[next] ?? `"${pieceOf(next, said)}"`}}${end}`);
      next += 1;
    } while (fake.paceMs === 0 && next < fake.chunks && (isTaken || !fake.isTagged));
    if (next >= fake.chunks) finish();
    else if (fake.paceMs === 0) res.once('drain', step);
    else afterMs(firstDueMs + next * fake.paceMs - monotonicMs(), step);
  }

  function finish() {
    const last = `${start}{}${end.replace('"finish_reason":null', '"finish_reason":"stop"')}`;
    const usage = {
      id: 'chatcmpl-fake',
      object: 'chat.completion.chunk',
      created: 0,
      model,
      choices: [],
      usage: USAGE,
    };
    res.end(`${last}${options?.include_usage ? `data: ${JSON.stringify(usage)}\n\n` : ''}data: [DONE]\n\n`);
  }
}

function replyOf({ messages }) {
  replies += 1;
  return replyTo(messages.at(-1).content, replies);
}

/** Cuts a text, longer than `count`, into so many pieces of much the same length. */
function cut(text, count) {
  const at = (index) => Math.round((index * text.length) / count);
  return Array.from({ length: count }, (_, index) => text.slice(at(index), at(index + 1)));
}

/** What surrounds a chunk's delta; as long as a real provider's. */
function chunkFrame(model) {
  const head = `"id":"chatcmpl-fake","object":"chat.completion.chunk","created":0,"model":${JSON.stringify(model)}`;
  return {
    start: `data: {${head},"service_tier":"default","system_fingerprint":"fp_fake","choices":[{"index":0,"delta":`,
    end: ',"logprobs":null,"finish_reason":null}],"usage":null}\n\n',
  };
}

function completion(model, content) {
  return {
    id: 'chatcmpl-fake',
    object: 'chat.completion',
    created: 0,
    model,
    choices: [
      { index: 0, message: { role: 'assistant', content, refusal: null }, logprobs: null, finish_reason: 'stop' },
    ],
    usage: USAGE,
  };
}

function sendJson(res, status, body) {
  const bytes = Buffer.from(JSON.stringify(body));
  res.writeHead(status, { 'content-type': 'application/json', 'content-length': bytes.length }).end(bytes);
}

function afterMs(delayMs, fire) {
  if (delayMs <= 0) fire();
  else setTimeout(fire, delayMs);
}
