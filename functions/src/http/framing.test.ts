import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { framingFlaw, framingOf, takeFraming } from './framing';

const request = (headers: IncomingHttpHeaders, httpVersion = '1.1'): IncomingMessage =>
  ({ httpVersion, headers }) as IncomingMessage;

describe('the framing of a request', () => {
  it('is what its headers say', () => {
    expect(framingOf(request({ 'content-length': '7' }))).toEqual({ 'content-length': '7' });
  });

  it('is still known when its headers were taken from it, and nothing else was', () => {
    const one = request({ host: 'x', 'content-length': '7' });
    const other = request({ host: 'x', 'transfer-encoding': 'chunked' });
    for (const taken of [one, other]) takeFraming(taken);
    expect([one.headers, other.headers]).toEqual([{ host: 'x' }, { host: 'x' }]);
    expect(framingOf(one)).toEqual({ 'content-length': '7' });
    expect(framingOf(other)).toEqual({ 'transfer-encoding': 'chunked' });
  });
});

describe('the flaw of a request', () => {
  it.each([
    ['a host alone', { host: 'x' }],
    ['an empty host', { host: '' }],
    ['the one expectation there is, in any case', { host: 'x', expect: '100-Continue' }],
    ['chunks, in any case', { host: 'x', 'transfer-encoding': 'Chunked' }],
  ])('is none with %s', (_, headers) => {
    expect(framingFlaw(request(headers))).toBeUndefined();
  });

  it.each([
    [
      'no host',
      { expect: '100-continue' },
      { code: 'invalid_request', text: 'Invalid HTTP: the Host header is missing' },
    ],
    ['another expectation', { host: 'x', expect: 'x-100-continue' }, { code: 'unknown_expectation' }],
    ['more than the expectation', { host: 'x', expect: '100-continue, x' }, { code: 'unknown_expectation' }],
    ['another coding', { host: 'x', 'transfer-encoding': 'gzip, chunked' }, { code: 'unknown_transfer_coding' }],
    [
      'a coding behind chunks',
      { host: 'x', 'transfer-encoding': 'chunked, gzip' },
      { code: 'unknown_transfer_coding' },
    ],
  ])('is told with %s', (_, headers, refusal) => {
    expect(framingFlaw(request(headers))).toMatchObject({ refused: true, ...refusal });
  });

  it('of HTTP/1.0 is its coding alone: it knows neither hosts nor expectations', () => {
    expect(framingFlaw(request({ expect: 'anything' }, '1.0'))).toBeUndefined();
    expect(framingFlaw(request({ 'transfer-encoding': 'gzip' }, '1.0'))).toMatchObject({
      code: 'unknown_transfer_coding',
    });
  });

  it('is found also when the headers of the framing were taken', () => {
    const taken = request({ host: 'x', 'transfer-encoding': 'gzip' });
    takeFraming(taken);
    expect(framingFlaw(taken)).toMatchObject({ code: 'unknown_transfer_coding' });
  });
});
