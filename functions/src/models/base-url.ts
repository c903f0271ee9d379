import { BlockList, isIP } from 'node:net';

/** Loopback, private and carrier-grade NAT ranges, and their IPv6 counterparts. */
const PRIVATE = new BlockList();
for (const [network, prefix] of [
  ['127.0.0.0', 8],
  ['10.0.0.0', 8],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
  ['100.64.0.0', 10],
] as const) {
  PRIVATE.addSubnet(network, prefix, 'ipv4');
}
PRIVATE.addAddress('::1', 'ipv6');
PRIVATE.addSubnet('fc00::', 7, 'ipv6');
PRIVATE.addSubnet('fe80::', 10, 'ipv6');

/** Names that resolve on one's own machine or network only; a name without a dot is a container or a neighbour. */
const PRIVATE_NAME = /^[^.]+$|\.(?:localhost|local|internal|lan|home\.arpa)$/;

/**
 * What is wrong with the base URL of an endpoint; undefined when nothing is. Requests carry a key and prompts, so plain
 * http goes to loopback and private hosts only; a key has no place in the URL, which is an open setting.
 */
export function baseUrlFlaw(text: string): string | undefined {
  const url = URL.parse(text);
  if (!url || !/^https?:$/.test(url.protocol)) return 'must be an http or https URL';
  if (url.username !== '' || url.password !== '') return 'must not hold a user or password';
  if (url.search !== '' || url.hash !== '') return 'must not have a query or fragment';
  if (url.protocol === 'http:' && !isPrivate(url.hostname)) return 'must be https: its host is not a private one';
  return undefined;
}

function isPrivate(hostname: string): boolean {
  const host = hostname.replace(/^\[|\]$/g, '');
  const version = isIP(host);
  return version === 0 ? PRIVATE_NAME.test(host) : PRIVATE.check(host, version === 4 ? 'ipv4' : 'ipv6');
}
