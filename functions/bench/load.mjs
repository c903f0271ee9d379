import { Agent, request } from 'node:http';
import { monotonicMs } from './monotonic.mjs';

/** No single request of any measure takes this long; one that does has hung. */
const REQUEST_MAX_MS = 30_000;

/**
 * Something that answers `POST <path>`, asked over kept-alive connections. `authorization` is called once for every
 * request; `headers` come with each besides.
 */
export function target(origin, authorization, { path = '/v1/chat/completions', headers = {} } = {}) {
  return { url: `${origin}${path}`, agent: new Agent({ keepAlive: true }), authorization, headers };
}

/** The body of a chat request to one model. The tag lets the upstream's records be found again. */
export function chat(model, { tag, ...options } = {}) {
  const content = `Say something short.${tag === undefined ? '' : ` #${tag}#`}`;
  return { model, messages: [{ role: 'user', content }], ...options };
}

/**
 * Sends one request and reads the reply to its end. Resolves with the reply's text and the monotonic times (ms) when the
 * request was sent and when its first status chunk, first content chunk and end were seen. Rejects on anything but 200.
 */
export async function ask(to, body) {
  const bytes = Buffer.from(JSON.stringify(body));
  const headers = {
    ...to.headers,
    authorization: to.authorization(),
    'content-type': 'application/json',
    'content-length': bytes.length,
  };
  const reply = await exchange(to, headers, bytes);
  if (reply.status !== 200) throw new Error(`HTTP ${reply.status}: ${reply.text.slice(0, 300)}`);
  return reply;
}

function exchange(to, headers, bytes) {
  return new Promise((resolve, reject) => {
    const sentMs = monotonicMs();
    const req = request(to.url, { method: 'POST', agent: to.agent, headers });
    const timer = setTimeout(() => req.destroy(new Error(`no end after ${REQUEST_MAX_MS} ms`)), REQUEST_MAX_MS);
    const fail = (error) => {
      clearTimeout(timer);
      // The server may close an idle connection at the very moment it is used again; then nothing was read of it.
      if (req.reusedSocket && error.code === 'ECONNRESET' && !req.res) resolve(exchange(to, headers, bytes));
      else reject(error);
    };
    req.once('error', fail);
    req.once('response', (res) => {
      const reader = new ReplyReader();
      res.setEncoding('utf8');
      res.on('data', (text) => reader.read(text));
      res.once('error', fail);
      res.once('end', () => {
        clearTimeout(timer);
        resolve({ status: res.statusCode, sentMs, endMs: monotonicMs(), ...reader.seen, text: reader.text });
      });
    });
    req.end(bytes);
  });
}

/** Collects a reply and notes when what is waited for came. The opening chunk's content is empty and does not count. */
class ReplyReader {
  text = '';
  seen = { firstStatusMs: null, firstContentMs: null };

  read(text) {
    const { seen } = this;
    this.text += text;
    if (seen.firstContentMs !== null) return;
    if (seen.firstStatusMs === null && this.text.includes('"status":"')) seen.firstStatusMs = monotonicMs();
    if (/"content": ?"[^"]/.test(this.text)) seen.firstContentMs = monotonicMs();
  }
}

/** What a stream said, from its text: the joined content, how many chunks carried content, and whether `[DONE]` came last. */
export function parseStream(text) {
  const events = text.split('\n\n').filter((event) => event !== '');
  const payloads = events.map((event) => event.replace(/^data: /, ''));
  const done = payloads.at(-1) === '[DONE]' && payloads.indexOf('[DONE]') === payloads.length - 1;
  const chunks = payloads.filter((payload) => payload !== '[DONE]').map((payload) => JSON.parse(payload));
  const pieces = chunks.map((chunk) => chunk.choices?.[0]?.delta?.content ?? '').filter((piece) => piece !== '');
  return {
    content: pieces.join(''),
    contentChunks: pieces.length,
    done,
    error: chunks.find(({ error }) => error)?.error,
  };
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
