import { Readable } from 'node:stream';
import { fixture } from '../../../test/support/protocols';
import { refusalOf, reportedFault } from './provider-fault';

/** A refusal as a server words it, and what it means. */
interface Refusal {
  readonly server: string;
  readonly status: number;
  readonly body: object | string;
  readonly kind: string;
  readonly refuses?: readonly string[];
}

const REFUSALS = fixture('refusals.jsonl')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as Refusal);

it.each(REFUSALS)('the refusal $status of $server means $kind $refuses: $body', async (refusal) => {
  const { status: statusCode, body, kind, refuses } = refusal;
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const response = Object.assign(Readable.from([Buffer.from(text)]), { statusCode, headers: {} });
  expect(await refusalOf(response)).toMatchObject({ kind, ...(refuses && { refuses }) });
});

it.each([
  ['Unexpected endpoint or method. (POST /chat/completions)', 'wrong_address'],
  [{ code: 400, message: 'Context size has been exceeded.' }, 'context_length'],
  [{ type: 'insufficient_quota', message: 'x' }, 'out_of_credit'],
])('the report %j inside a stream means %s', (report, kind) => {
  expect(reportedFault(report).kind).toBe(kind);
});
