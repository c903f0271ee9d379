import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { fakeClock } from '../../test/support/fake-clock';
import { refuse } from '../errors';
import { ByteBudget } from '../lib/byte-budget';
import { Turns } from '../lib/turns';
import { readJsonBody } from './body';
import { createBodyReader } from './body-bytes';

const MIB = 1024 * 1024;

/** A request that carries these bytes. */
function requestOf(bytes: string | Buffer, headers: Record<string, string> = {}): IncomingMessage {
  const request = Readable.from(bytes.length === 0 ? [] : [Buffer.from(bytes)]);
  const headersDistinct = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value]]));
  return Object.assign(request, { headers, headersDistinct }) as unknown as IncomingMessage;
}

const read = (request: IncomingMessage) => {
  const clock = fakeClock();
  const reader = createBodyReader(new ByteBudget(64 * MIB), clock, new Turns(clock, () => 0));
  return readJsonBody(reader, request, 'ada');
};

const invalid = (why: string) => refuse('invalid_request', `Invalid JSON: ${why}`);

describe('a JSON body', () => {
  it.each([
    ['is what it says', '{"größe":[1]}', {}, { größe: [1] }],
    ['may say that it is not encoded', '7', { 'content-encoding': 'Identity' }, 7],
  ])('%s', async (_, bytes, headers, value) => {
    expect(await read(requestOf(bytes, headers))).toEqual(value);
  });

  it.each<[string, string | Buffer, object]>([
    ['nothing', '', invalid('the body is empty')],
    ['half an object', '{"a":', invalid('the body could not be parsed')],
    ['bytes that are no UTF-8', Buffer.from([0x22, 0xff, 0x22]), invalid('the body could not be parsed')],
    ['more levels than the parser may have', '['.repeat(65), invalid('more than 64 levels deep')],
  ])('is refused with words of ours: %s', async (_, bytes, refusal) => {
    expect(await read(requestOf(bytes))).toEqual(refusal);
  });

  it.each(['gzip', 'br', '', 'identity, gzip'])('may not be encoded: %j', async (encoding) => {
    expect(await read(requestOf('7', { 'content-encoding': encoding }))).toEqual(refuse('unsupported_encoding'));
  });

  it('that says that it is far too long is refused before it is read', async () => {
    const request = requestOf('7', { 'content-length': String(33 * MIB) });
    expect(await read(request)).toEqual(refuse('payload_too_large'));
    expect(request.readableFlowing).toBeNull();
  });
});
