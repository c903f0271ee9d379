import type { IncomingMessage } from 'node:http';
import { framingFlaw } from './framing';

const flawOf = (headersDistinct: Record<string, string[]>, httpVersion: string) => {
  const headers = Object.fromEntries(Object.entries(headersDistinct).map(([name, values]) => [name, values.join()]));
  return framingFlaw({ httpVersion, headers, headersDistinct } as unknown as IncomingMessage)?.code;
};

test.each<[string | undefined, string, string, Record<string, string[]>]>([
  [undefined, 'a host alone', '1.1', { host: ['x'] }],
  [undefined, 'an empty host', '1.1', { host: [''] }],
  [undefined, 'the one expectation there is, in any case', '1.1', { host: ['x'], expect: ['100-Continue'] }],
  [undefined, 'chunks, in any case', '1.1', { host: ['x'], 'transfer-encoding': ['Chunked'] }],
  [undefined, 'HTTP/1.0 without a host, with an expectation', '1.0', { expect: ['wonders'] }],
  ['invalid_request', 'no host', '1.1', { expect: ['100-continue'] }],
  ['unknown_expectation', 'another expectation', '1.1', { host: ['x'], expect: ['x-100-continue'] }],
  ['unknown_expectation', 'more than the expectation', '1.1', { host: ['x'], expect: ['100-continue, x'] }],
  ['unknown_transfer_coding', 'another coding', '1.1', { host: ['x'], 'transfer-encoding': ['gzip, chunked'] }],
  ['unknown_transfer_coding', 'two of them', '1.1', { host: ['x'], 'transfer-encoding': ['gzip', 'chunked'] }],
  ['unknown_transfer_coding', 'another coding in HTTP/1.0', '1.0', { 'transfer-encoding': ['gzip'] }],
])('%s: %s', (code, _, httpVersion, headers) => {
  expect(flawOf(headers, httpVersion)).toBe(code);
});
