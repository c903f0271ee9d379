import type { IncomingHttpHeaders } from 'node:http';
import type { Refusal } from '../errors';

const REALM = 'Bearer realm="Ensemble API"';

/** The 401 with what its client may do about it. */
export function withChallenge(refusal: Refusal, headers: IncomingHttpHeaders, path: string): Refusal {
  return { ...refusal, headers: { 'www-authenticate': challengeOf(headers), link: linkToDocs(path) } };
}

/** The header `www-authenticate` of a 401 (RFC 6750); of a key that was sent well it tells nothing. @internal */
export function challengeOf({ authorization, ...headers }: IncomingHttpHeaders): string {
  if (authorization === undefined) {
    const sent =
      'x-api-key' in headers || 'api-key' in headers ? 'the key is not read from x-api-key or api-key; ' : '';
    return invalid('invalid_request', `${sent}send it as Authorization: Bearer KEY`);
  }
  if (!/^bearer /i.test(authorization)) return invalid('invalid_request', 'Authorization must be Bearer KEY');
  return invalid('invalid_token', 'the key is none of this server, or has been revoked or expired');
}

/** The header `link` of a 401, relative to the path: the function may lie below a prefix that it does not see. @internal */
export function linkToDocs(path: string): string {
  const folders = path.split('/').length - 2;
  return `<${'../'.repeat(folders)}docs>; rel="help"`;
}

function invalid(error: string, description: string): string {
  return `${REALM}, error="${error}", error_description="${description}"`;
}
