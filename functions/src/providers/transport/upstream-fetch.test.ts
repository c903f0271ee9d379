import { getEventListeners, once } from 'node:events';
import {
  type FakeUpstream,
  refusedUrl,
  sendStatus,
  startFakeUpstream,
  underControl,
} from '../../../test/support/fake-upstream';
import { LongTexts } from './long-texts';
import { upstreamFetch, upstreamStream } from './upstream-fetch';

const MIB = 1024 * 1024;
let upstream: FakeUpstream;

beforeEach(async () => {
  upstream = await startFakeUpstream();
});

afterEach(() => upstream.close());

describe('the request', () => {
  const forms: [string, RequestInit['headers']][] = [
    ['an object', { 'X-Api-Key': '1' }],
    ['pairs', [['X-Api-Key', '1']]],
    ['Headers', new Headers({ 'X-Api-Key': '1' })],
  ];

  test.each(forms)('takes its headers as %s', async (_, headers) => {
    upstream.willReply(sendStatus(200, 'ok'));
    await (await upstreamFetch(upstream.url, { ...(headers && { headers }) })).text();
    expect(upstream.requests[0]?.headers['x-api-key']).toBe('1');
  });

  test.each<[string, string | Uint8Array<ArrayBuffer>]>([
    ['a string', 'Grüße'],
    ['bytes', new Uint8Array(Buffer.from('Grüße'))],
  ])('takes %s as its body and says its length', async (_, body) => {
    upstream.willReply(sendStatus(200, 'ok'));
    await (await upstreamFetch(new URL('/p?q=1', upstream.url), { method: 'POST', body })).text();
    expect(upstream.requests[0]).toMatchObject({ method: 'POST', path: '/p?q=1', body: 'Grüße' });
    expect(upstream.requests[0]?.headers['content-length']).toBe('7');
  });

  test('carries only headers the protocols need: none that an SDK or its environment adds', async () => {
    upstream.willReply(sendStatus(200, 'ok'));
    const headers = { authorization: 'Bearer k', 'x-stainless-os': 'Linux', 'x-custom': '1', cookie: 'c=1' };
    await (await upstreamFetch(upstream.url, { headers })).text();
    expect(Object.keys(upstream.requests[0]?.headers ?? {}).sort()).toEqual([
      'accept-encoding',
      'authorization',
      'connection',
      'host',
    ]);
  });

  test('is a GET that asks for no compression', async () => {
    upstream.willReply(sendStatus(200, 'ok'));
    await (await upstreamFetch(upstream.url)).text();
    expect(upstream.requests[0]?.method).toBe('GET');
    expect(upstream.requests[0]?.headers['accept-encoding']).toBe('identity');
  });

  test('is refused in the forms it does not know', async () => {
    await expect(upstreamFetch(new Request(upstream.url))).rejects.toThrow(TypeError);
    await expect(upstreamFetch(upstream.url, { method: 'POST', body: new FormData() })).rejects.toThrow(TypeError);
    expect(upstream.requests).toHaveLength(0);
  });

  test('to https speaks TLS', async () => {
    await expect(upstreamFetch(upstream.url.replace('http:', 'https:'))).rejects.toMatchObject({
      code: expect.stringMatching(/SSL|EPROTO/),
    });
    expect(upstream.requests).toHaveLength(0);
  });
});

describe('the response', () => {
  test('is a Response: status, headers, ok', async () => {
    upstream.willReply(sendStatus(201, 'ok', { 'x-many': ['a', 'b'] }), sendStatus(302, '', { location: '/' }));
    const created = await upstreamFetch(upstream.url);
    expect(created).toBeInstanceOf(Response);
    expect(created).toMatchObject({ status: 201, statusText: 'Created', ok: true, bodyUsed: false });
    expect(created.headers.get('x-many')).toBe('a, b');
    await created.text();
    expect(created.bodyUsed).toBe(true);
    const redirect = await upstreamFetch(upstream.url);
    expect(redirect).toMatchObject({ status: 302, ok: false });
    await redirect.text();
    expect(upstream.requests).toHaveLength(2);
  });

  test('gives its body as text, JSON, bytes, buffer, blob, and web stream', async () => {
    const bytes = Buffer.from('{"a":"é"}');
    upstream.willReply(...Array.from({ length: 6 }, () => sendStatus(200, bytes.toString())));
    expect(await (await upstreamFetch(upstream.url)).text()).toBe('{"a":"é"}');
    expect(await (await upstreamFetch(upstream.url)).json()).toEqual({ a: 'é' });
    expect(Buffer.from(await (await upstreamFetch(upstream.url)).bytes())).toEqual(bytes);
    expect(Buffer.from(await (await upstreamFetch(upstream.url)).arrayBuffer())).toEqual(bytes);
    expect(await (await (await upstreamFetch(upstream.url)).blob()).text()).toBe('{"a":"é"}');
    const chunks: Uint8Array[] = [];
    for await (const chunk of (await upstreamFetch(upstream.url)).body ?? []) chunks.push(chunk);
    expect(Buffer.concat(chunks)).toEqual(bytes);
  });

  test('can have its body looked at without disturbing the one who reads its stream', async () => {
    upstream.willReply(sendStatus(200, 'x'.repeat(MIB)));
    const response = await upstreamFetch(upstream.url);
    expect(response.body).toBe(response.body);
    let size = 0;
    upstreamStream(response).on('data', (piece: Buffer) => {
      size += piece.length;
    });
    await once(upstreamStream(response), 'end');
    expect(size).toBe(MIB);
  });

  test('closes its connection when its web stream is cancelled', async () => {
    const { exchange, reply } = underControl();
    upstream.willReply(reply);
    const fetching = upstreamFetch(upstream.url);
    (await exchange).write('half');
    await (await fetching).body?.cancel();
    await (await exchange).disconnected;
  });

  test('refuses a whole body of more than 4 MiB', async () => {
    upstream.willReply(sendStatus(200, 'x'.repeat(4 * MIB)), sendStatus(200, 'x'.repeat(4 * MIB + 1)));
    expect(await (await upstreamFetch(upstream.url)).text()).toHaveLength(4 * MIB);
    await expect((await upstreamFetch(upstream.url)).text()).rejects.toThrow('too large');
  });

  test('refuses an error report of more than 64 KiB', async () => {
    upstream.willReply(sendStatus(500, 'x'.repeat(64 * 1024)), sendStatus(500, 'x'.repeat(64 * 1024 + 1)));
    expect(await (await upstreamFetch(upstream.url)).text()).toHaveLength(64 * 1024);
    await expect((await upstreamFetch(upstream.url)).text()).rejects.toThrow('too large');
  });

  test('rejects when its body is cut off', async () => {
    const { exchange, reply } = underControl();
    upstream.willReply(reply);
    const fetching = upstreamFetch(upstream.url);
    (await exchange).write('half');
    const reading = (await fetching).text();
    (await exchange).cut();
    await expect(reading).rejects.toMatchObject({ code: 'ECONNRESET' });
  });

  test('with a status that no Response may have is an error, and its connection is closed', async () => {
    const { exchange, reply } = underControl();
    upstream.willReply(reply);
    const fetching = upstreamFetch(upstream.url);
    fetching.catch(() => undefined);
    (await exchange).begin(999);
    await expect(fetching).rejects.toMatchObject({ name: 'RangeError' });
    await (await exchange).disconnected;
  });

  test('of another fetch has no stream to give', () => {
    expect(() => upstreamStream(new Response('x'))).toThrow(TypeError);
  });
});

describe('failure', () => {
  test('a network error is the original one', async () => {
    await expect(upstreamFetch(await refusedUrl())).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  });
});

describe.each(['signal', 'callSignal'] as const)('an abort by %s', (name) => {
  test('rejects with its reason and closes the connection', async () => {
    const { exchange, reply } = underControl();
    upstream.willReply(reply);
    const controller = new AbortController();
    const fetching = upstreamFetch(upstream.url, { [name]: controller.signal });
    const { disconnected } = await exchange;
    const reason = new Error('enough');
    controller.abort(reason);
    await expect(fetching).rejects.toBe(reason);
    await disconnected;
  });

  test('after the head destroys the stream at once, read or not', async () => {
    const { exchange, reply } = underControl();
    upstream.willReply(reply);
    const controller = new AbortController();
    const fetching = upstreamFetch(upstream.url, { [name]: controller.signal });
    (await exchange).write('half');
    const stream = upstreamStream(await fetching);
    controller.abort();
    expect(stream.destroyed).toBe(true);
    await (await exchange).disconnected;
  });

  test('before the start sends nothing', async () => {
    await expect(upstreamFetch(upstream.url, { [name]: AbortSignal.abort() })).rejects.toMatchObject({
      name: 'AbortError',
    });
    expect(upstream.requests).toHaveLength(0);
  });

  test('while a long text is being encoded sends nothing, and lets the text go', async () => {
    const text = 'x'.repeat(300 * 1024);
    const gate = Promise.withResolvers<void>();
    const beginBody = (inTurn: <T>(size: number, work: () => T) => Promise<T>) => {
      const longTexts = new LongTexts(inTurn);
      return { longTexts, body: JSON.stringify(longTexts.of({ text })) };
    };
    const waiting = beginBody(async (_, work) => {
      await gate.promise;
      return work();
    });
    const controller = new AbortController();
    const options = { method: 'POST', ...waiting, [name]: controller.signal };
    const fetching = upstreamFetch(upstream.url, options);
    controller.abort();
    gate.resolve();
    await expect(fetching).rejects.toMatchObject({ name: 'AbortError' });
    expect(upstream.requests).toHaveLength(0);
    // The next one to send it has to encode it again.
    let encoded = 0;
    const next = beginBody(async (size, work) => {
      encoded += size;
      return work();
    });
    (await next.longTexts.bodyOf(next.body))?.release();
    expect(encoded).toBe(text.length);
  });

  test('is not listened for any more when the response is over, or never came', async () => {
    upstream.willReply(sendStatus(200, 'ok'));
    const { signal } = new AbortController();
    const response = await upstreamFetch(upstream.url, { [name]: signal });
    expect(getEventListeners(signal, 'abort')).toHaveLength(1);
    const closed = once(upstreamStream(response), 'close');
    await response.text();
    await closed;
    expect(getEventListeners(signal, 'abort')).toHaveLength(0);
    await expect(upstreamFetch(await refusedUrl(), { [name]: signal })).rejects.toThrow();
    expect(getEventListeners(signal, 'abort')).toHaveLength(0);
  });
});
