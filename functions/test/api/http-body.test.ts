import { gzipSync } from 'node:zlib';
import { errorBody } from '../support/api-errors';
import { bearer, CHAT, CHAT_PATH, QUESTION, startApp } from '../support/app';
import { during } from '../support/during';
import { sendRaw } from '../support/raw-http';

const FOUR_MIB = 4 * 1024 * 1024;
const GOOD = JSON.stringify(CHAT);

/** A good body with as much white space behind it as makes it this long. */
const padded = (bytes: number): Buffer => Buffer.concat([Buffer.from(GOOD), Buffer.alloc(bytes - GOOD.length, ' ')]);

/** A good body in whose prompt one byte is no UTF-8. */
function withByte(byte: number): Buffer {
  const [before = '', after = ''] = GOOD.split('tomato');
  return Buffer.concat([Buffer.from(before), Buffer.from([byte]), Buffer.from(after)]);
}

/** A good body with a field that nobody reads. */
const beside = (value: string): string => GOOD.replace(/}$/, `,"extra":${value}}`);

const MALFORMED: readonly (readonly [rule: string, body: string | Buffer])[] = [
  ['an empty body', ''],
  ['white space alone', ' \n'],
  ['half an object', GOOD.slice(0, -3)],
  ['a trailing comma', '{"model":"demo-ada",}'],
  ['two objects', `${GOOD}${GOOD}`],
  ['a form', 'model=demo-ada&messages=none'],
  ['NaN', '{"model":"demo-ada","temperature":NaN}'],
  ['a bare null', 'null'],
  ['an array around the request', `[${GOOD}]`],
  ['a bare string', '"hello"'],
  ['a byte that is no UTF-8', withByte(0xff)],
  ['a Latin-1 letter', withByte(0xe9)],
  ['UTF-16', Buffer.from(GOOD, 'utf16le')],
];

/** Bodies of almost 4 MiB that take the parser a tenth of a second to two seconds. */
const EXCESSIVE = [
  ['nested lists', '['.repeat(FOUR_MIB / 2 - 1024) + ']'.repeat(FOUR_MIB / 2 - 1024), 'more than 64 levels deep'],
  ['nested objects', `${'{"a":'.repeat(600_000)}1`, 'more than 64 levels deep'],
  ['small objects', `[${'{"a":1},'.repeat(520_000)}1]`, 'more than 30,000 values'],
  ['empty strings', `[${'"",'.repeat(1_390_000)}1]`, 'more than 30,000 values'],
] as const;

const ACCEPTED: readonly (readonly [rule: string, body: string | Buffer, headers?: Record<string, string>])[] = [
  ['a body of exactly 4 MiB', padded(FOUR_MIB)],
  ['64 levels', beside('['.repeat(63) + ']'.repeat(63))],
  ['25,000 values', beside(`[${'{"a":1},'.repeat(12_500)}1]`)],
  ['text full of brackets', beside(JSON.stringify('[{",\\'.repeat(100_000)))],
  ['content-encoding identity', GOOD, { 'content-encoding': 'identity' }],
  ['no content type', GOOD],
  ['a content type with a charset', GOOD, { 'content-type': 'application/json; charset=utf-8' }],
  ['Accept says what it will: the body decides', GOOD, { accept: 'text/event-stream' }],
];

describe('the body of a request on the wire', () => {
  const app = during('all', startApp);
  beforeEach(async () => {
    app.models.reset();
    await app.clock.advance(60_000);
  });

  const send = (body: string | Buffer, headers: Record<string, string> = {}) =>
    sendRaw(app.baseUrl, { method: 'POST', path: CHAT_PATH, headers: { ...bearer(app.key), ...headers }, body });
  const refused = async (body: string | Buffer, headers?: Record<string, string>) => {
    const { status, text } = await send(body, headers);
    expect(app.models.calls).toEqual([]);
    return [status, JSON.parse(text)];
  };

  it.each(MALFORMED)('400: %s', async (_, body) => {
    expect(await refused(body)).toEqual([400, errorBody(expect.stringMatching(/^Invalid (JSON|request body): ./))]);
  });

  it('400: a body in the form that refusals have in the code is none', async () => {
    const body = { refused: true, code: 'restarting', text: 'x', headers: { 'set-cookie': 'a=b' } };
    expect(await refused(JSON.stringify(body))).toEqual([400, errorBody(expect.stringMatching(/^Invalid model/))]);
  });

  it.each(EXCESSIVE)('400: more than the parser can take, before it is parsed: %s', async (_, value, excess) => {
    expect(await refused(beside(value))).toEqual([400, errorBody(`Invalid JSON: ${excess}`)]);
  });

  it.each(ACCEPTED.map(([rule, body, headers = {}]) => ({ rule, body, headers })))('200: $rule', async (row) => {
    const { body, headers } = row;
    const { status, headers: replied } = await send(body, headers);
    expect([status, replied['content-type']]).toEqual([200, 'application/json; charset=utf-8']);
    expect(app.models.calls.map(({ prompt }) => prompt.turns.at(-1)?.text)).toEqual([QUESTION]);
  });

  it('413: one byte more than 4 MiB, also when no length was announced', async () => {
    const expected = [413, errorBody(expect.stringContaining('4 MiB'))];
    expect(await refused(padded(FOUR_MIB + 1))).toEqual(expected);
    expect(await refused(padded(FOUR_MIB + 1), { 'transfer-encoding': 'chunked' })).toEqual(expected);
  });

  it.each(['gzip', 'br', 'GZIP', 'gzip, identity'])('415: a body may not be encoded, as with %s', async (encoding) => {
    const expected = errorBody(expect.stringMatching(/encoding/));
    expect(await refused(gzipSync(GOOD), { 'content-encoding': encoding })).toEqual([415, expected]);
  });
});
