import { BlockList, isIPv4 } from 'node:net';
import type { BuiltInProvider } from './catalog';

const LOOPBACK = new BlockList();
LOOPBACK.addSubnet('127.0.0.0', 8, 'ipv4');

/** Flaw of the address of a model server. Requests carry a key and prompts: plain http goes to this machine only. */
export function baseUrlFlaw(text: string): string | undefined {
  const url = URL.parse(text);
  if (!url || !/^https?:$/.test(url.protocol)) return 'must be an http or https URL';
  if (url.username !== '' || url.password !== '') return 'must not hold a user or password';
  if (url.search !== '' || url.hash !== '') return 'must not have a query or fragment';
  if (url.protocol === 'http:' && !isThisMachine(url.hostname)) {
    return 'must be https: plain http is for servers on this machine (localhost, 127.0.0.1, [::1])';
  }
  return undefined;
}

/** A protocol that base URLs are for. */
export type BaseUrlProtocol = Exclude<BuiltInProvider, 'scripted'>;

/** Ends of addresses that are copied along with a base URL: an endpoint, and the version where it is the protocol that adds it. */
const ENDPOINTS: Readonly<Record<BaseUrlProtocol, RegExp>> = {
  openai: /(?<!\/)\/(?:chat\/completions|completions|responses|embeddings|models)$/,
  anthropic: /(?<!\/)(?:\/v1)?(?:\/messages|\/models|\/complete)?$/,
  google: /(?<!\/)(?:\/v1(?:alpha|beta)?)?(?:\/models(?:\/[^/]+)?)?$/,
};

/** The base URL that is meant by an address without a flaw: without an endpoint, and without slashes too many. */
export function mendedBaseUrl(text: string, protocol: BaseUrlProtocol): string {
  const slashes = text.replace(/(?<!:)\/{2,}/g, '/').replace(/\/$/, '');
  return slashes.replace(ENDPOINTS[protocol], '');
}

/** True of a host, in the form of URLs, that is this machine alone. */
export function isThisMachine(hostname: string): boolean {
  if (isIPv4(hostname)) return LOOPBACK.check(hostname, 'ipv4');
  return hostname === '[::1]' || hostname === 'localhost';
}
