import type { IncomingMessage } from 'node:http';
import { networkOf } from './account-reply';

const from = (remoteAddress: string | undefined, forwarded?: string): IncomingMessage =>
  ({ headers: { 'x-forwarded-for': forwarded }, socket: { remoteAddress } }) as unknown as IncomingMessage;

describe('the network of a request', () => {
  it.each([
    ['203.0.113.77', '203.0.113.0/24'],
    ['::ffff:203.0.113.77', '203.0.113.0/24'],
    ['2001:db8:85a3:8d3:1319:8a2e:370:7348', '2001:db8:85a3::/48'],
    ['2001:db8::1', '2001:db8:0::/48'],
    ['::1', '0:0:0::/48'],
    ['unix', 'unknown'],
    [undefined, 'unknown'],
  ])('of %s is %s', (address, network) => expect(networkOf(from(address), false)).toBe(network));

  it('is what the platform has seen, and never what a client says without one', () => {
    expect(networkOf(from('169.254.1.1', '1.1.1.1, 203.0.113.77'), true)).toBe('203.0.113.0/24');
    expect(networkOf(from('127.0.0.1', '203.0.113.77'), false)).toBe('127.0.0.0/24');
    expect(networkOf(from('127.0.0.1', '<script>'), true)).toBe('unknown');
  });
});
