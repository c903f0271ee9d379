import { channel } from 'node:diagnostics_channel';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { fakeClock } from '../../test/support/fake-clock';
import { refuse } from '../errors';
import { ByteBudget } from '../lib/byte-budget';
import { Turns } from '../lib/turns';
import { keepBodiesFromFramework, readJsonBody } from './body';
import { createBodyReader } from './body-bytes';
import { framingOf } from './framing';

const MIB = 1024 * 1024;

/** A request that carries these bytes, or one of the framework's, which has them read already. */
function requestOf(bytes: string | Buffer, headers: IncomingHttpHeaders = {}, rawBody?: unknown): IncomingMessage {
  const request = Readable.from(bytes.length === 0 ? [] : [Buffer.from(bytes)]);
  return Object.assign(request, { headers, rawBody }) as unknown as IncomingMessage;
}

const read = (request: IncomingMessage) => {
  const clock = fakeClock();
  const reader = createBodyReader(new ByteBudget(64 * MIB), clock, new Turns(clock, () => 0));
  return readJsonBody(reader, request, 'ada');
};

const invalid = (why: string) => refuse('invalid_request', `Invalid JSON: ${why}`);

const WRONG: [string, string | Buffer, object][] = [
  ['nothing', '', invalid('the body is empty')],
  ['half an object', '{"a":', invalid('the body could not be parsed')],
  ['bytes that are no UTF-8', Buffer.from([0x22, 0xff, 0x22]), invalid('the body could not be parsed')],
  ['more levels than the parser may have', '['.repeat(65), invalid('more than 64 levels deep')],
];

describe('a JSON body', () => {
  it('is what it says', async () => {
    expect(await read(requestOf('{"größe":[1]}'))).toEqual({ größe: [1] });
  });

  it.each(WRONG)('is refused with words of ours: %s', async (_, bytes, refusal) => {
    expect(await read(requestOf(bytes))).toEqual(refusal);
  });

  it.each(WRONG)('is refused in the same words where it was read already: %s', async (_, bytes, refusal) => {
    expect(await read(requestOf('', {}, Buffer.from(bytes)))).toEqual(refusal);
  });

  it('that was read already is taken as it is, up to 4 MiB', async () => {
    const padded = (size: number): Buffer => Buffer.from('7'.padEnd(size));
    expect(await read(requestOf('8', {}, padded(4 * MIB)))).toBe(7);
    expect(await read(requestOf('8', {}, padded(4 * MIB + 1)))).toEqual(refuse('payload_too_large'));
    // Something else of that name is no body.
    expect(await read(requestOf('8', {}, '7'))).toBe(8);
  });

  it.each(['gzip', 'br', '', 'identity, gzip'])('may not be encoded: %j', async (encoding) => {
    expect(await read(requestOf('7', { 'content-encoding': encoding }))).toEqual(refuse('unsupported_encoding'));
  });

  it('may say that it is not encoded', async () => {
    expect(await read(requestOf('7', { 'content-encoding': 'Identity' }))).toBe(7);
  });

  it('that says that it is far too long is refused before it is read', async () => {
    const request = requestOf('7', { 'content-length': String(33 * MIB) });
    expect(await read(request)).toEqual(refuse('payload_too_large'));
    expect(request.readableFlowing).toBeNull();
  });
});

describe('the bodies of this process', () => {
  it('are kept from the framework: what announces them is taken, and odd targets are put right', () => {
    const start = (request: object): void => channel('http.server.request.start').publish({ request });
    start({ url: '/robots.txt', headers: {} });
    keepBodiesFromFramework();
    const request = { url: '/robots.txt', headers: { host: 'x', 'content-length': '7' } } as IncomingMessage;
    start(request);
    expect([request.url, request.headers]).toEqual(['/./robots.txt', { host: 'x' }]);
    expect(framingOf(request)).toEqual({ 'content-length': '7' });
    const nameless = { headers: {} } as IncomingMessage;
    start(nameless);
    expect(nameless.url).toBe('/');
  });
});
