import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { ModelFault } from '../../src/models/model-fault';
import { errorBody } from '../support/api-errors';
import { bearer, CHAT, CHAT_PATH, startApp } from '../support/app';
import { during } from '../support/during';
import { PLAIN } from '../support/scripted-models';
import { until } from '../support/until';

/** Memory is shared out: unread bodies and runs hold it, nobody has all of it, and it always comes back. */

const MIB = 1024 * 1024;
/** One user may have half of it, enough for one call with 4 MiB; seven bodies of 4 MiB of several users leave too little for one more. */
const BUDGET_BYTES = 34 * MIB;
const BUSY = errorBody('The server has no memory free for this request: try again shortly', 'api_error');
const TOO_SLOW = errorBody('Request body not received within 30 seconds');

/** A good request whose body has this many bytes. */
function bodyOf(bytes: number, fields: object = {}): Buffer {
  const shell = JSON.stringify({ ...CHAT, ...fields, messages: [{ role: 'user', content: '' }] });
  return Buffer.from(shell.replace('"content":""', `"content":"${'x'.repeat(bytes - shell.length)}"`));
}

const SMALL = bodyOf(200);
const LARGE = bodyOf(4 * MIB);

describe('the memory of a process', () => {
  const app = during('each', () => startApp({ memoryBytes: BUDGET_BYTES }));
  let bob: string;

  beforeEach(async () => {
    bob = await app.user('bob', 'pro');
  });

  /** Sends a body but for its last byte. */
  function begin(body: Buffer, key = app.key) {
    const { hostname, port } = new URL(app.baseUrl);
    const headers = { ...bearer(key), 'content-length': body.length };
    const sent = request({ hostname, port, method: 'POST', path: CHAT_PATH, headers, agent: false });
    // A refused client may find its connection closed.
    sent.on('error', () => undefined);
    sent.write(body.subarray(0, -1));
    const reply = (async () => {
      const [response] = (await once(sent, 'response')) as [IncomingMessage];
      const { statusCode: status, headers } = response;
      return { status, headers, body: JSON.parse(await text(response)) as unknown };
    })();
    // Nobody may be waiting for it.
    reply.catch(() => undefined);
    return { reply, finish: () => sent.end(body.subarray(-1)), leave: () => sent.destroy() };
  }

  const isWhole = (): boolean => app.container.memory.hasRoomFor('nobody', BUDGET_BYTES / 2);
  const isHeld = (bytes: number): boolean => !app.container.memory.hasRoomFor('nobody', (BUDGET_BYTES - bytes) / 2 + 1);
  const small = async (key = app.key): Promise<number> => (await app.post(CHAT_PATH, SMALL, bearer(key))).status;

  it('two bodies of a user are read at a time: a third waits, and hinders nobody else', async () => {
    const stalled = [begin(bodyOf(2 * MIB)), begin(bodyOf(2 * MIB))];
    await until(() => isHeld(4 * MIB));
    const third = begin(SMALL);
    third.finish();
    expect(await small(bob)).toBe(200);
    expect(await Promise.race([third.reply, Promise.resolve('waits')])).toBe('waits');
    stalled[0]?.finish();
    expect((await third.reply).status).toBe(200);
    expect((await stalled[0]?.reply)?.status).toBe(200);
    stalled[1]?.leave();
    await until(isWhole);
  });

  it('a body that is not there after 30 seconds is 408 and its connection closed, also where it waited for its turn', async () => {
    const stalled = [begin(SMALL), begin(SMALL), begin(SMALL)];
    await until(() => isHeld(2 * (SMALL.length - 1)));
    await until(() => app.clock.pending === 3);
    await app.clock.advance(29_999);
    expect(await Promise.race([...stalled.map(({ reply }) => reply), Promise.resolve('waits')])).toBe('waits');
    await app.clock.advance(1);
    for (const { reply } of stalled) {
      const { status, headers, body } = await reply;
      expect({ status, body, connection: headers.connection }).toEqual({
        status: 408,
        body: TOO_SLOW,
        connection: 'close',
      });
    }
    expect(isWhole()).toBe(true);
    expect(await small()).toBe(200);
  });

  /** Fills the memory with seven bodies of six users, each but for its last byte. */
  async function fill() {
    const others = await Promise.all(['carol', 'dan', 'eve', 'fay', 'gil'].map((name) => app.user(name, 'pro')));
    const owners = [app.key, app.key, ...others];
    const uploads = [];
    for (const owner of owners) {
      uploads.push(begin(LARGE, owner));
      await until(() => isHeld(uploads.length * 4 * MIB));
    }
    return uploads;
  }

  it('a body without room is 503 with Retry-After, before it is read; others go on, and so does its user later', async () => {
    const uploads = await fill();
    const { status, headers, body } = await begin(LARGE, bob).reply;
    expect({ status, body, wait: headers['retry-after'] }).toEqual({ status: 503, body: BUSY, wait: '5' });
    expect(await small(bob)).toBe(200);
    for (const upload of uploads) upload.leave();
    await until(isWhole);
    const again = begin(LARGE, bob);
    again.finish();
    expect((await again.reply).status).toBe(200);
    await until(isWhole);
  });

  it('a body that does not say how long it is is 503 as soon as what came has no room', async () => {
    const uploads = await fill();
    const { hostname, port } = new URL(app.baseUrl);
    const sent = request({ hostname, port, method: 'POST', path: CHAT_PATH, headers: bearer(bob), agent: false });
    sent.on('error', () => undefined);
    sent.write(LARGE.subarray(0, -1));
    const [refused] = (await once(sent, 'response')) as [IncomingMessage];
    expect({ status: refused.statusCode, body: JSON.parse(await text(refused)) }).toEqual({ status: 503, body: BUSY });
    sent.destroy();
    for (const upload of uploads) upload.leave();
    await until(isWhole);
  });

  it('a run that would hold more than there is for its user is 503 and takes no slot; a smaller one is answered', async () => {
    const models = Array.from({ length: 16 }, () => ({ id: 'demo-ada' }));
    const large = await app.send(CHAT_PATH, bodyOf(4 * MIB, { ai_ensemble: { models } }));
    expect({ status: large.status, body: large.body, calls: large.calls }).toEqual({
      status: 503,
      body: BUSY,
      calls: [],
    });
    expect(large.headers.get('retry-after')).toBe('5');
    expect(large.headers.get('x-ratelimit-remaining-requests')).toBeNull();
    const fitting = await app.post(CHAT_PATH, SMALL);
    expect([fitting.status, fitting.headers.get('x-ratelimit-remaining-requests')]).toEqual([200, '29']);
  });

  it('a repeated request that waits for its reply holds its body; those there is no room for are 503', async () => {
    app.models.play((call) => ({ ...PLAIN(call), delayMs: 1_000 }));
    // What no run reads: the run under way holds next to nothing, those that wait for it would hold 4 MiB each.
    const padded = bodyOf(4 * MIB - 100, { metadata: 'x'.repeat(4 * MIB - 500) });
    const keyed = { ...bearer(app.key), 'idempotency-key': 'one' };
    const running = app.post(CHAT_PATH, padded, keyed);
    await until(() => app.models.calls.length === 1);
    const waiting: Promise<Response>[] = [];
    for (const held of [4, 8, 12, 16]) {
      waiting.push(app.post(CHAT_PATH, padded, keyed));
      await until(() => isHeld((held - 1) * MIB));
    }
    const refused = await app.post(CHAT_PATH, padded, keyed);
    expect([refused.status, await refused.json()]).toEqual([503, BUSY]);
    expect(app.container.memory.hasRoomFor('bob', 4 * MIB)).toBe(true);
    await app.clock.advance(1_000);
    expect((await Promise.all([running, ...waiting])).map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    await until(isWhole);
  });

  it.each([
    ['malformed JSON', 400, () => begin(Buffer.from(`${SMALL.toString()}}`))],
    ['more than 4 MiB', 413, () => begin(Buffer.concat([LARGE, Buffer.alloc(MIB, ' ')]))],
    ['an answer', 200, () => begin(LARGE)],
    ['a run that fails', 500, () => begin(bodyOf(500, { model: 'broken' }))],
  ])('all of it comes back after %s (%i)', async (_, status, send) => {
    app.models.play(({ providerModel }) => ({
      text: 'Yes.',
      ...(providerModel === 'broken' && { fault: new ModelFault('unauthorized') }),
    }));
    const upload = send();
    upload.finish();
    expect((await upload.reply).status).toBe(status);
    await until(isWhole);
  });
});
