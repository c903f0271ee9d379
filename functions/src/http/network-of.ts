import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';

const UNKNOWN = 'unknown';

/** The first 24 bits of an IPv4 address, 48 of an IPv6 one; of the last forwarded one where a platform has added it. */
export function networkOf({ headers, socket }: IncomingMessage, behindPlatform: boolean): string {
  const forwarded = headers['x-forwarded-for']?.toString().split(',').at(-1)?.trim();
  const address = (behindPlatform ? forwarded : undefined) ?? socket.remoteAddress ?? '';
  const v4 = address.replace(/^::ffff:/, '');
  if (isIP(v4) === 4) return `${v4.split('.').slice(0, 3).join('.')}.0/24`;
  if (isIP(address) !== 6) return UNKNOWN;
  const [groups = ''] = address.split('::', 1);
  const first = [...groups.split(':').filter(Boolean), '0', '0', '0'].slice(0, 3);
  return `${first.join(':')}::/48`;
}
