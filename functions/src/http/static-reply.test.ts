import { createServer, type IncomingHttpHeaders, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gunzipSync, gzipSync } from 'node:zlib';
import { sendStatic, staticReply } from './static-reply';

const TEXT = 'body { color: black }';
const plain = staticReply(Buffer.from(TEXT), 'text/css');
const compressed = { ...plain, gzipped: gzipSync(TEXT) };

interface Received {
  readonly status: number | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly bytes: Buffer;
}

/** The reply to a request with these headers and no others, as it goes over the line. */
async function received(reply: typeof plain, headers: Readonly<Record<string, string>> = {}): Promise<Received> {
  const server = createServer((_, res) => {
    res.setHeader('vary', 'origin');
    sendStatic(res, reply);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  try {
    return await new Promise((resolve, reject) => {
      const sent = request({ port, host: '127.0.0.1', headers, agent: false }, async (res) => {
        resolve({ status: res.statusCode, headers: res.headers, bytes: Buffer.concat(await res.toArray()) });
      });
      sent.on('error', reject).end();
    });
  } finally {
    await new Promise((resolve) => server.close(resolve));
  }
}

describe('a reply that is the same for everybody', () => {
  it.each(['gzip', 'br, GZIP;q=0.5', 'deflate,gzip', 'gzip;q=0.01'])(
    'goes compressed to who takes: %s',
    async (takes) => {
      const { headers, bytes } = await received(compressed, { 'accept-encoding': takes });
      expect([headers['content-encoding'], gunzipSync(bytes).toString()]).toEqual(['gzip', TEXT]);
      expect(headers['content-length']).toBe(String(bytes.length));
    },
  );

  it.each(['identity', 'br', 'gzip;q=0', 'gzip; q=0.000, br', 'x-gzipped'])(
    'goes as it is to who takes: %s',
    async (takes) => {
      const { headers, bytes } = await received(compressed, { 'accept-encoding': takes });
      expect([headers['content-encoding'], bytes.toString()]).toEqual([undefined, TEXT]);
    },
  );

  it('goes as it is to who says nothing, and where there is no compressed copy', async () => {
    expect((await received(compressed)).bytes.toString()).toBe(TEXT);
    const { headers, bytes } = await received(plain, { 'accept-encoding': 'gzip' });
    expect([headers['vary'], bytes.toString()]).toEqual(['origin', TEXT]);
  });

  it('is kept apart by caches, in both forms and beside what else they vary by', async () => {
    const [one, other] = [await received(compressed), await received(compressed, { 'accept-encoding': 'gzip' })];
    expect([one.headers['vary'], other.headers['vary']]).toEqual([
      'origin, accept-encoding',
      'origin, accept-encoding',
    ]);
    expect(one.headers['etag']).not.toBe(other.headers['etag']);
  });

  it.each(['gzip', 'identity'])('is not sent again to who has it in this form: %s', async (takes) => {
    const first = await received(compressed, { 'accept-encoding': takes });
    const again = { 'accept-encoding': takes, 'if-none-match': String(first.headers['etag']) };
    const { status, headers, bytes } = await received(compressed, again);
    expect([status, bytes.length, headers['etag']]).toEqual([304, 0, first.headers['etag']]);
    expect(headers['vary']).toBe('origin, accept-encoding');
  });

  it('is sent to who has it in the other form', async () => {
    const first = await received(compressed, { 'accept-encoding': 'gzip' });
    expect((await received(compressed, { 'if-none-match': String(first.headers['etag']) })).status).toBe(200);
  });
});
