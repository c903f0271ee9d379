import type { Clock } from '../../src/lib/clock';
import { event, type Reply, sendEvents, sendStatus } from '../support/fake-upstream';
import type { Protocol } from '../support/protocols';
import { FAILURE_MODES } from './failure-modes';

/** Reply of a model that always fails, or means harm. */
export interface HostileReply {
  readonly name: string;
  reply(protocol: Protocol, clock: Clock): Reply;
}

const DEPTH = 50_000;
/** Values that are no token counts; sent as they are, or as JSON has them. */
const COUNTS: readonly unknown[] = [-5, Number.NaN, 1e308, 1.5, '12', null, [7], { n: 1 }, true, 2 ** 53];

const events =
  (text: (protocol: Protocol) => string): HostileReply['reply'] =>
  (protocol) =>
    sendEvents(text(protocol));
const status =
  (code: number, body: string | object = '', headers = {}): HostileReply['reply'] =>
  () =>
    sendStatus(code, body, headers);

/** A whole good reply that counts its tokens so. */
function counted(count: unknown): HostileReply {
  const reply = events((protocol) => protocol.reply('Well.', count as number, count as number));
  return { name: `counts of ${JSON.stringify(count)}`, reply };
}

/** Beside every row of the failure table: what models were not seen to do yet. */
export const HOSTILE_REPLIES: readonly HostileReply[] = [
  ...FAILURE_MODES.map(({ name, begin, always }) => ({
    name,
    reply: always ?? ((protocol: Protocol): Reply => begin(protocol).replies[0] ?? (() => undefined)),
  })),
  ...COUNTS.map(counted),
  { name: 'counts that go back', reply: events((p) => p.reply('Well.', 900, 900) + p.reply('Well.', 1, 1)) },
  { name: 'counts without text', reply: events((p) => p.reply('', 900, 900)) },
  { name: 'text before an abrupt end', reply: events((p) => p.textEvent('Half a')) },
  { name: 'text of blanks', reply: events((p) => p.reply(' \n\t '.repeat(1_000), 5, 5)) },
  { name: 'half surrogate pairs', reply: events((p) => p.reply('\ud83d and \udc00', 5, 5)) },
  { name: 'control characters', reply: events((p) => p.reply('\u0000\u001b[2J\u202e\r\n\r\ndata: x', 5, 5)) },
  { name: 'a megabyte of text in one event', reply: events((p) => p.reply('x'.repeat(1024 * 1024), 5, 5)) },
  { name: 'ten thousand empty events', reply: events((p) => 'data: {}\n\n'.repeat(10_000) + p.events) },
  { name: 'ten thousand empty lines', reply: events((p) => '\n'.repeat(10_000) + p.events) },
  { name: 'a deep list', reply: events(() => `data: ${'['.repeat(DEPTH)}${']'.repeat(DEPTH)}\n\n`) },
  { name: 'a deep object', reply: events(() => `data: ${'{"a":'.repeat(DEPTH)}1${'}'.repeat(DEPTH)}\n\n`) },
  { name: 'events that are no objects', reply: events(() => 'data: null\n\ndata: 7\n\ndata: "x"\n\ndata: []\n\n') },
  {
    name: 'prototype keys',
    reply: events((p) => `data: {"__proto__":{"usage":{"prompt_tokens":-9}},"constructor":1}\n\n${p.events}`),
  },
  {
    name: 'fields of the wrong kinds',
    reply: events(() =>
      event({ choices: 'x', candidates: { 0: 1 }, usage: 'x', usageMetadata: [], type: 7, delta: 1, message: 'x' }),
    ),
  },
  { name: 'an error that is a number', reply: events(() => event({ type: 'error', error: 42 })) },
  {
    name: 'an error that is a list',
    reply: events(() => event({ type: 'error', error: [{ code: {}, message: [] }] })),
  },
  { name: 'bytes that are no UTF-8', reply: () => (exchange) => sendBytes(exchange, [0xff, 0xfe, 0xc3, 0x28, 0x0a]) },
  { name: 'nothing at all', reply: events(() => '') },
  { name: 'a page', reply: status(200, '<html>Welcome</html>') },
  { name: 'JSON null', reply: status(200, 'null', { 'content-type': 'application/json' }) },
  { name: 'JSON with an empty list of choices', reply: status(200, { choices: [], candidates: [], content: [] }) },
  { name: '204', reply: status(204) },
  { name: '302', reply: status(302, '', { location: 'http://127.0.0.1:1/' }) },
  { name: '418 with an array', reply: status(418, [{ error: 'UPSTREAM-WORDS' }]) },
  { name: '429 that asks to wait for ever', reply: status(429, 'UPSTREAM-WORDS', { 'retry-after': '999999999' }) },
  { name: '429 that asks to wait since yesterday', reply: status(429, 'UPSTREAM-WORDS', { 'retry-after': '-86400' }) },
  { name: '503 with a status of its own', reply: status(503, { error: { code: 'NaN', status: -1, message: 7 } }) },
  { name: '599', reply: status(599, 'UPSTREAM-WORDS') },
  { name: 'a length it does not keep', reply: () => (exchange) => shorterThanSaid(exchange) },
  { name: 'a compressed body that is none', reply: status(200, 'plain', { 'content-encoding': 'gzip' }) },
];

type Sent = Parameters<Reply>[0];

function sendBytes(exchange: Sent, bytes: readonly number[]): void {
  exchange.write(Uint8Array.from(bytes));
  exchange.end();
}

function shorterThanSaid(exchange: Sent): void {
  exchange.begin(200, { 'content-type': 'text/event-stream', 'content-length': '100' });
  exchange.write('data: {"choices":[]}\n\n');
  setImmediate(exchange.cut);
}
