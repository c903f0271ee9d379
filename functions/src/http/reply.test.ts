import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { fakeClock } from '../../test/support/fake-clock';
import { sendRaw } from '../../test/support/raw-http';
import { openResponse, serve } from '../../test/support/serve';
import { refuse } from '../errors';
import { type Reply, sendReply } from './reply';

const GET = { method: 'GET', path: '/' };

/** Bytes that a client gets; afterwards no listener may be left. */
async function sent(reply: Reply, before: (res: ServerResponse) => void = () => undefined) {
  const clock = fakeClock();
  const closed = Promise.withResolvers<void>();
  const served = await serve(async (_, res) => {
    res.once('close', closed.resolve);
    before(res);
    await sendReply(res, reply, clock);
  });
  const received = await sendRaw(served.baseUrl, GET);
  await closed.promise;
  expect(clock.pending).toBe(0);
  return received;
}

describe('a reply', () => {
  it('in one piece is JSON that is not to be stored or sniffed, of so many bytes', async () => {
    const body = { word: 'größe' };
    const { status, headers, text } = await sent({ body, headers: { 'x-left': '7', 'content-type': 'text/html' } });
    expect({ status, text }).toEqual({ status: 200, text: JSON.stringify(body) });
    expect(headers).toMatchObject({
      'x-left': '7',
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'content-length': String(Buffer.byteLength(text)),
    });
  });

  it('that is a refusal has its status, its headers and the error body', async () => {
    const { status, headers, text } = await sent(refuse('rate_limited', undefined, { 'retry-after': '7' }));
    expect({ status, body: JSON.parse(text) }).toEqual({
      status: 429,
      body: { error: { message: 'Rate limit exceeded', type: 'rate_limit_error' } },
    });
    expect(headers['retry-after']).toBe('7');
  });

  it('that is a stream is ended when all of it was played', async () => {
    const { status, headers, text } = await sent({
      headers: { 'x-left': '7' },
      play: async (events) => {
        events.write({ n: 1 });
        await Promise.resolve();
        events.write('[DONE]');
      },
    });
    expect({ status, text }).toEqual({ status: 200, text: 'data: {"n":1}\n\ndata: [DONE]\n\n' });
    expect(headers['x-left']).toBe('7');
  });

  it('in one piece is not sent when another one is on its way', async () => {
    const { text } = await sent({ body: { second: true } }, (res) => {
      res.writeHead(200);
      res.end('first');
    });
    expect(text).toBe('first');
  });

  it.each<[string, Reply]>([
    ['in one piece', { body: {} }],
    ['as a stream', { headers: {}, play: async () => undefined }],
  ])('%s closes the connection of a client that does not read it, after two minutes', async (_, reply) => {
    const clock = fakeClock();
    const open = await openResponse();
    open.client.pause();
    await sendReply(open.res, reply, clock);
    expect(clock.pending).toBe(1);
    await clock.advance(120_000);
    expect(open.res.destroyed).toBe(true);
  });

  it('to a client that has left writes nothing and waits for nothing', async () => {
    const clock = fakeClock();
    const open = await openResponse();
    open.client.destroy();
    await once(open.res, 'close');
    const writeHead = jest.spyOn(open.res, 'writeHead');
    await sendReply(open.res, { body: {} }, clock);
    expect(writeHead).not.toHaveBeenCalled();
    expect(clock.pending).toBe(0);
  });
});
