import { jsonExcess, parsedJson } from '../../lib/json';
import { type Reasoning, reasoningIn } from '../../models/reasoning';

/** Beginning of a token, by which it is told from the signatures of other services. */
const PREFIX = 'ens1.';
/** Characters of the longest token that is read: more is kept of no model's thoughts. */
const CHARACTERS_MAX = 3 * 1024 * 1024;

/** Thoughts of a model as a token, for protocols whose clients send back, unread, what they cannot read. */
export function thoughtToken(reasoning: Reasoning): string {
  return PREFIX + Buffer.from(JSON.stringify(reasoning)).toString('base64url');
}

/** Thoughts in a token; undefined of anything else, such as the signature of another service. */
export function thoughtIn(token: unknown): Reasoning | undefined {
  if (typeof token !== 'string' || token.length > CHARACTERS_MAX || !token.startsWith(PREFIX)) return undefined;
  const bytes = Buffer.from(token.slice(PREFIX.length), 'base64url');
  const parsed = jsonExcess(bytes) === undefined ? parsedJson(bytes.toString()) : undefined;
  return typeof parsed === 'object' && parsed !== null ? reasoningIn(parsed) : undefined;
}
