import { PassThrough, Readable } from 'node:stream';
import type { ModelFault } from '../../models/model-fault';
import { ReplyReader, readReply, type Taken } from './read-reply';
import type { Fields } from './reply-fields';

const MIB = 1024 * 1024;
const { signal } = new AbortController();
const nothing = (): undefined => undefined;
const listener = {
  text: nothing,
  toolCall: nothing,
  pending: nothing,
  usage: nothing,
  web: nothing,
  alive: nothing,
  thought: nothing,
};

/** Keeps the numbers that come as `n`; `{"end":…}` is the reason of the ending. */
class Numbers extends ReplyReader {
  readonly taken: unknown[] = [];

  take({ n, end }: Fields, event: string | undefined): Taken {
    this.endsBy(end);
    if (n !== undefined) this.taken.push(event === undefined ? n : `${event} ${n}`);
    return undefined;
  }
}

const END = 'data: {"end":"stop"}\n\n';

/** Reads pieces, each a read of its own. */
async function numbersIn(...pieces: (string | Uint8Array)[]): Promise<unknown[]> {
  const reply = new Numbers(listener);
  const stream = Readable.from(
    pieces.map((piece) => Buffer.from(piece)),
    { objectMode: false },
  );
  await readReply(stream, reply, { signal, listener });
  return reply.taken;
}

function kindOf(reading: Promise<unknown>): Promise<string> {
  return reading.then(
    () => 'none',
    (error: ModelFault) => error.kind ?? error.message,
  );
}

test('what is kept until an event is whole is reported as it grows', async () => {
  const pending: number[] = [];
  const pieces = ['data: ', '{"n":', '1}\n', '\n', END, ': hm'].map((piece) => Buffer.from(piece));
  const reading = { signal, listener: { ...listener, pending: (characters: number) => pending.push(characters) } };
  await readReply(Readable.from(pieces, { objectMode: false }), new Numbers(listener), reading as never);
  expect(pending).toEqual([6, 11, 14, 4]);
});

test.each([
  ['LF', 'event: a\ndata: {"n":1}\n\ndata: {\ndata: "n":2}\n\n', ['a 1', 2]],
  ['CRLF', 'event: a\r\ndata: {"n":1}\r\n\r\ndata: {"n":2}\r\n\r\n', ['a 1', 2]],
  ['CR', 'event: a\rdata: {"n":1}\r\rdata: {"n":2}\r\r', ['a 1', 2]],
  ['comments, ids and a byte order mark', '\ufeff: hm\nid: 7\ndata: {"n":1}\n\n:\n\n', [1]],
])('events with %s are read, wherever they are cut', async (_, text, expected) => {
  const bytes = Buffer.from(text + END);
  expect(await numbersIn(bytes)).toEqual(expected);
  expect(await numbersIn(...Array.from(bytes, (byte) => Uint8Array.of(byte)))).toEqual(expected);
});

test.each(['{"n":1}\n\ndata: {"end":"stop"}\n', '{"n":1}\r\n\r\ndata: {"end":"stop"}\r\n'])(
  'the last event may lack its blank line: %j',
  async (text) => expect(await numbersIn(`data: ${text}`)).toEqual([1]),
);

test('half a last line is no event', async () => {
  expect(await kindOf(numbersIn('data: {"n":1}\n\n', 'data: {"end":"stop"}'))).toBe('network');
});

test('the mark of the end ends the reading; what follows is read away', async () => {
  const stream = new PassThrough();
  const reply = new Numbers(listener);
  stream.write(`${END}data: [DONE]\n\ndata: {"n":1}\n\n`);
  await readReply(stream, reply, { signal, listener });
  stream.end('data: {"n":2}\n\n'.repeat(10_000));
  await new Promise((done) => stream.once('close', done));
  expect(reply.taken).toEqual([]);
});

test.each([
  ['a line', ['data: ', 'x'.repeat(MIB)], 'protocol'],
  ['an event', ['data: x\n', `data: ${'x'.repeat(MIB)}\n`], 'protocol'],
  ['a body', ['{', ' '.repeat(MIB)], 'protocol'],
  ['a stream', ['data: x\n\n', `: ${'x'.repeat(MIB)}\n\n`], 'output_too_long'],
  ['a page', ['<html>', ''], 'wrong_address'],
])('%s without end is refused', async (_, [first = '', more = ''], kind) => {
  function* pieces(): Generator<Buffer> {
    yield Buffer.from(first);
    for (let count = 0; count < 80; count += 1) yield Buffer.from(more);
  }
  const reading = readReply(Readable.from(pieces(), { objectMode: false }), new Numbers(listener), {
    signal,
    listener,
  });
  expect(await kindOf(reading)).toBe(kind);
});

test('an event of 3 MiB is read', async () => {
  expect(await numbersIn(`data: {"n":"${'x'.repeat(3 * MIB)}"}\n\n`, END)).toHaveLength(1);
});
