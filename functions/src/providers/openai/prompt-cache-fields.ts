import { createHash, createHmac } from 'node:crypto';
import type { ProviderCall } from '../../models/model';
import { isMarked } from '../../models/prompt-caches';

/** Longest key that OpenAI takes; a longer one is hashed. */
const KEY_CHARACTERS_MAX = 64;

/** The caller's key of a provider's prompt cache, or the one that is sent where there is none of the caller's. */
export function promptCacheFields({ promptCacheKey, without = [] }: ProviderCall, otherwise?: string) {
  const key = promptCacheKey ?? otherwise;
  if (!key || without.includes('promptCacheKey')) return {};
  const isShort = key.length <= KEY_CHARACTERS_MAX;
  return { prompt_cache_key: isShort ? key : createHash('sha256').update(key).digest('base64url') };
}

/** Key of a user's prompts with these instructions and tools, for a prompt that will be read again: tells nothing of them. */
export function cacheKeyOf({ prompt, userId }: ProviderCall, apiKey: string): string | undefined {
  if (!isMarked(prompt)) return undefined;
  const { system = '', tools } = prompt;
  const alike = JSON.stringify([userId, system, tools?.json]);
  return createHmac('sha256', apiKey).update(alike).digest('base64url');
}
