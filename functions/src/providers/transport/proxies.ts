import { type AgentOptions, setGlobalProxyFromEnv } from 'node:http';
import type { Environment } from '../../lib/settings-reader';
import { isThisMachine } from '../../models/base-url';

/** Proxies on the way out, in the form that Node's agents take. */
type Proxies = NonNullable<AgentOptions['proxyEnv']>;

/** The proxies that an environment names; plain http never leaves this machine by one. Throws without its words. */
export function proxiesOf(env: Environment): Proxies {
  const [ofHttps, ofHttp] = [proxyFor('https', env), proxyFor('http', env)];
  const direct = env['no_proxy'] || env['NO_PROXY'];
  return {
    ...(ofHttps && { https_proxy: ofHttps.href }),
    ...(ofHttp && isThisMachine(ofHttp.hostname) && { http_proxy: ofHttp.href }),
    ...(direct && { no_proxy: direct }),
  };
}

/** Lets Firebase’s and Firestore’s packages go the same way. What they ask of this machine are emulators. */
export function followProxies({ https_proxy, no_proxy }: Proxies): void {
  if (https_proxy === undefined) return;
  // For gRPC an empty entry is every host.
  const named = no_proxy?.split(',').filter((host) => host.trim() !== '') ?? [];
  const direct = [...named, 'localhost', '127.0.0.1', '[::1]'].join(',');
  setGlobalProxyFromEnv({ https_proxy, no_proxy: direct });
  Object.assign(process.env, { grpc_proxy: https_proxy, no_grpc_proxy: direct });
}

function proxyFor(scheme: 'http' | 'https', env: Environment): URL | undefined {
  const names = [`${scheme}_proxy`, `${scheme.toUpperCase()}_PROXY`, 'all_proxy', 'ALL_PROXY'];
  const name = names.find((each) => env[each]?.trim());
  if (name === undefined) return undefined;
  const text = env[name]?.trim() ?? '';
  const url = URL.parse(text.includes('://') ? text : `http://${text}`);
  // Node decodes the password with every connection.
  if (url && /^https?:(?!.*%(?![0-9a-f]{2}))/i.test(url.href)) return url;
  throw new Error(`${name} must be the URL of an HTTP proxy, such as http://proxy.example.com:3128`);
}
