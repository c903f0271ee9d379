import { gzipSync } from 'node:zlib';
import { errorBody } from '../support/api-errors';
import { type App, bearer, QUESTION, RUN_ENDPOINTS, startApp } from '../support/app';
import { sendRaw } from '../support/raw-http';

const FOUR_MIB = 4 * 1024 * 1024;

/** A good body with as much white space behind it as makes it this long. */
function padded(good: string, bytes: number): Buffer {
  return Buffer.concat([Buffer.from(good), Buffer.alloc(bytes - Buffer.byteLength(good), ' ')]);
}

/** A good body in whose prompt one byte is no UTF-8. */
function withByte(good: string, byte: number): Buffer {
  const [before = '', after = ''] = good.split('tomato');
  return Buffer.concat([Buffer.from(before), Buffer.from([byte]), Buffer.from(after)]);
}

interface Row {
  readonly rule: string;
  readonly body: string | Buffer;
  readonly headers?: Record<string, string>;
}

function malformed(good: string): Row[] {
  return [
    { rule: 'an empty body', body: '' },
    { rule: 'white space alone', body: ' \n' },
    { rule: 'half an object', body: good.slice(0, -3) },
    { rule: 'a trailing comma', body: '{"model":"demo-ada",}' },
    { rule: 'single quotes', body: "{'model':'demo-ada'}" },
    { rule: 'two objects', body: `${good}${good}` },
    { rule: 'a form', body: 'model=demo-ada&messages=none' },
    { rule: 'NaN', body: '{"model":"demo-ada","temperature":NaN}' },
    { rule: 'a bare null', body: 'null' },
    { rule: 'a bare array', body: '[]' },
    { rule: 'an array around the request', body: `[${good}]` },
    { rule: 'a bare string', body: '"hello"' },
    { rule: 'a bare number', body: '7' },
    { rule: 'a bare boolean', body: 'true' },
    { rule: 'a byte that is no UTF-8', body: withByte(good, 0xff) },
    { rule: 'a Latin-1 letter', body: withByte(good, 0xe9) },
    { rule: 'UTF-16', body: Buffer.from(good, 'utf16le') },
  ];
}

/** A good body with a field that nobody reads. */
function beside(good: string, value: string): string {
  return good.replace(/}$/, `,"extra":${value}}`);
}

/** Bodies of almost 4 MiB that take the parser a tenth of a second to two seconds. */
function excessive(good: string): { rule: string; body: string; excess: string }[] {
  const pieces = (piece: string): string => `[${piece.repeat((FOUR_MIB - 1024) / piece.length)}1]`;
  const half = FOUR_MIB / 2 - 1024;
  return [
    {
      rule: 'nested lists',
      body: beside(good, '['.repeat(half) + ']'.repeat(half)),
      excess: 'more than 64 levels deep',
    },
    { rule: 'nested objects', body: beside(good, `${'{"a":'.repeat(600_000)}1`), excess: 'more than 64 levels deep' },
    { rule: 'empty objects', body: beside(good, pieces('{},')), excess: 'more than 30,000 values' },
    { rule: 'small objects', body: beside(good, pieces('{"a":1},')), excess: 'more than 30,000 values' },
    { rule: 'small lists', body: beside(good, pieces('[[]],')), excess: 'more than 30,000 values' },
    { rule: 'empty strings', body: beside(good, pieces('"",')), excess: 'more than 30,000 values' },
    {
      rule: '100,000 messages',
      body: `{"model":"demo-ada","messages":[${'{"role":"user","content":"x"},'.repeat(100_000)}{}]}`,
      excess: 'more than 30,000 values',
    },
  ];
}

function accepted(good: string): Row[] {
  return [
    { rule: 'a body of exactly 4 MiB', body: padded(good, FOUR_MIB) },
    { rule: '64 levels', body: beside(good, '['.repeat(63) + ']'.repeat(63)) },
    { rule: '25,000 values', body: beside(good, `[${'{"a":1},'.repeat(12_500)}1]`) },
    { rule: 'text full of brackets', body: beside(good, JSON.stringify('[{",\\'.repeat(100_000))) },
    { rule: 'content-encoding identity', body: good, headers: { 'content-encoding': 'identity' } },
    { rule: 'no content type', body: good },
    {
      rule: 'a content type with a charset',
      body: good,
      headers: { 'content-type': 'application/json; charset=utf-8' },
    },
    { rule: 'Accept says what it will: the body decides', body: good, headers: { accept: 'text/event-stream' } },
  ];
}

describe.each(RUN_ENDPOINTS)('POST $path: the body on the wire', ({ path, body: request }) => {
  const good = JSON.stringify(request);
  let app: App;
  beforeAll(async () => {
    app = await startApp();
  });
  beforeEach(async () => {
    app.models.reset();
    await app.clock.advance(60_000);
  });
  afterAll(() => app.close());

  const send = (body: string | Buffer, headers: Record<string, string> = {}) =>
    sendRaw(app.baseUrl, { method: 'POST', path, headers: { ...bearer(app.key), ...headers }, body });

  it.each(malformed(good))('400: $rule', async ({ body }) => {
    const { status, text } = await send(body);
    const expected = errorBody(expect.stringMatching(/^Invalid (JSON|request body): ./));
    expect({ status, body: JSON.parse(text) }).toEqual({ status: 400, body: expected });
    expect(app.models.calls).toEqual([]);
  });

  it.each(excessive(good))(
    '400: more than the parser can take, before it is parsed: $rule',
    async ({ body, excess }) => {
      const { status, text } = await send(body);
      expect({ status, body: JSON.parse(text) }).toEqual({ status: 400, body: errorBody(`Invalid JSON: ${excess}`) });
      expect(app.models.calls).toEqual([]);
    },
  );

  it.each(accepted(good))('200: $rule', async ({ body, headers }) => {
    const { status, headers: replied } = await send(body, headers);
    expect({ status, type: replied['content-type'] }).toEqual({ status: 200, type: 'application/json; charset=utf-8' });
    expect(app.models.calls.map(({ prompt }) => prompt.turns.at(-1)?.text)).toEqual([QUESTION]);
  });

  it.each([
    { rule: 'one byte more than 4 MiB', bytes: FOUR_MIB + 1 },
    { rule: 'twice 4 MiB', bytes: 2 * FOUR_MIB },
  ])('413: $rule', async ({ bytes }) => {
    const { status, text } = await send(padded(good, bytes));
    expect({ status, body: JSON.parse(text) }).toEqual({
      status: 413,
      body: errorBody(expect.stringContaining('4 MiB')),
    });
    expect(app.models.calls).toEqual([]);
  });

  it('413: also when no length was announced', async () => {
    const { status } = await send(padded(good, FOUR_MIB + 1), { 'transfer-encoding': 'chunked' });
    expect(status).toBe(413);
  });

  it.each(['gzip', 'br', 'deflate', 'GZIP', 'gzip, identity'])(
    '415: a body may not be encoded, as with %s',
    async (encoding) => {
      const { status, text } = await send(gzipSync(good), { 'content-encoding': encoding });
      expect({ status, body: JSON.parse(text) }).toEqual({
        status: 415,
        body: errorBody(expect.stringMatching(/encoding/)),
      });
      expect(app.models.calls).toEqual([]);
    },
  );

  it('text outside ASCII reaches the model as it was sent', async () => {
    const prompt = 'Ist „Tomate“ 🍅 eine Beere? 是';
    await send(good.replace(QUESTION, prompt));
    expect(app.models.calls[0]?.prompt.turns.at(-1)?.text).toBe(prompt);
  });
});
