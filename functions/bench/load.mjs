// The load: requests to one server, and checks of what comes back.
import { Agent, request } from 'node:http';
import { fakeModel, textOf } from './fake-models.mjs';
import { monotonicMs } from './processes.mjs';

const REQUEST_MAX_MS = 30_000;
/** Number of times that one key is used in a run: the service lets a user ask 30 times a minute. */
const KEY_USES_MAX = 30;
let tags = 0;

/** Makes a tag by which the upstream's records of a request are found again. */
export function newTag() {
  tags += 1;
  return `t${tags}`;
}

/** Hands out keys in turn; throws where they are used up. */
export function keyRing(keys) {
  let uses = 0;
  return () => {
    if (uses >= keys.length * KEY_USES_MAX) throw new Error(`all ${keys.length} keys are used up: seed more users`);
    uses += 1;
    return `Bearer ${keys[uses % keys.length]}`;
  };
}

/** Makes a target of the load: `authorization` is called once for every request. */
export function target(origin, authorization = () => 'Bearer none', headers = {}) {
  return { url: `${origin}/v1/chat/completions`, agent: new Agent({ keepAlive: true }), authorization, headers };
}

/** The body of a chat request to one model. */
export function chat(model, { tag, ...options } = {}) {
  const content = `Say something short.${tag === undefined ? '' : ` #${tag}#`}`;
  return { model, messages: [{ role: 'user', content }], ...options };
}

/**
 * Sends one request and reads its reply to the end. Resolves with the text and the times at which the request was sent, the
 * first status and the first content were seen, and the reply ended. Rejects on anything but 200.
 */
export function ask(to, body) {
  const bytes = Buffer.from(JSON.stringify(body));
  const sized = { 'content-type': 'application/json', 'content-length': bytes.length };
  const headers = { ...to.headers, ...sized, authorization: to.authorization() };
  return new Promise((resolve, reject) => {
    const seen = { sentMs: monotonicMs() };
    const req = request(to.url, { method: 'POST', agent: to.agent, headers, timeout: REQUEST_MAX_MS });
    req.once('timeout', () => req.destroy(new Error(`nothing for ${REQUEST_MAX_MS} ms`)));
    req.once('error', (error) => {
      // A server may close an idle connection at the moment it is used again; then nothing was read of it.
      if (req.reusedSocket && error.code === 'ECONNRESET' && !req.res) resolve(ask(to, body));
      else reject(error);
    });
    req.once('response', (res) => {
      let text = '';
      res.setEncoding('utf8').on('data', (part) => {
        text += part;
        if (seen.contentMs) return;
        if (text.includes('"status":"')) seen.statusMs ??= monotonicMs();
        if (/"(content|delta|text)": ?"[^"]/.test(text)) seen.contentMs = monotonicMs();
      });
      res.once('error', reject);
      res.once('end', () => {
        if (res.statusCode === 200) resolve({ ...seen, endMs: monotonicMs(), text });
        else reject(new Error(`HTTP ${res.statusCode}: ${text.slice(0, 300)}`));
      });
    });
    req.end(bytes);
  });
}

/** Asks for a pass-through again and again until it is answered; resolves with the time of its end. */
export async function firstAnswerMs(server, to) {
  const giveUpMs = monotonicMs() + 90_000;
  while (monotonicMs() < giveUpMs && server.isRunning()) {
    try {
      return (await ask(to, chat('fake-instant'))).endMs;
    } catch (error) {
      if (error.code !== 'ECONNREFUSED') throw error;
      await new Promise((resolve) => setTimeout(resolve, 4));
    }
  }
  throw new Error(`the server did not answer: ${server.output()}`);
}

/** Runs `work(index)` `count` times, at most `width` at once; resolves with the results in order. */
export async function atOnce(count, width, work) {
  const results = [];
  let next = 0;
  const worker = async () => {
    while (next < count) {
      const index = next;
      next += 1;
      results[index] = await work(index);
    }
  };
  await Promise.all(Array.from({ length: Math.min(width, count) }, worker));
  return results;
}

/** Streams answers of a fake model, each with a tag of its own. Throws where a byte of one is missing, doubled or another's. */
export async function checkedStreams(to, model, { count, width }) {
  const tagged = Array.from({ length: count }, newTag);
  const startedMs = monotonicMs();
  const replies = await atOnce(count, width, (index) => ask(to, chat(model, { stream: true, tag: tagged[index] })));
  const wallMs = monotonicMs() - startedMs;
  // Looked at only now: it takes CPU from the processes that are measured.
  const broken = replies.filter(({ text }, index) => contentOf(text) !== textOf(fakeModel(model), tagged[index]));
  if (broken.length > 0) throw new Error(`${broken.length} of ${count} streams broken: ${broken[0].text.slice(-300)}`);
  return { wallMs, firstMs: replies.map(({ sentMs, contentMs }) => contentMs - sentMs) };
}

/** The content of a stream; undefined where it does not end with `[DONE]`. */
export function contentOf(text) {
  const payloads = text.split('\n\n').flatMap((event) => (event === '' ? [] : [event.replace(/^data: /, '')]));
  if (payloads.pop() !== '[DONE]') return undefined;
  return payloads.map((payload) => JSON.parse(payload).choices?.[0]?.delta?.content ?? '').join('');
}
