import { createHash, createHmac } from 'node:crypto';
import type { ProviderCall } from '../../models/model';
import { isMarked } from '../../models/prompt-caches';

/** Longest key that OpenAI takes; a longer one is hashed. */
const KEY_CHARACTERS_MAX = 64;

/** The caller's key of a prompt cache; without one, where there is a secret to make it with, a key of ours. */
export function promptCacheFields(call: ProviderCall, secret?: string) {
  const { promptCacheKey: key = secret && ownKey(call, secret), without = [] } = call;
  if (!key || without.includes('promptCacheKey')) return {};
  const isShort = key.length <= KEY_CHARACTERS_MAX;
  return { prompt_cache_key: isShort ? key : createHash('sha256').update(key).digest('base64url') };
}

/** Key of a user's prompts with these instructions and tools, for a prompt that will be read again: tells nothing of them. */
function ownKey({ prompt, userId }: ProviderCall, secret: string): string | undefined {
  if (!isMarked(prompt)) return undefined;
  const { system = '', tools } = prompt;
  return createHmac('sha256', secret)
    .update(JSON.stringify([userId, system, tools?.json]))
    .digest('base64url');
}
