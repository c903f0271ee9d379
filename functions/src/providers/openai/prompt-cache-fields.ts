import { createHash, createHmac } from 'node:crypto';
import type { ChatCompletionCreateParamsStreaming } from 'openai/resources/chat/completions';
import type { ProviderCall } from '../../models/model';
import { isMarked } from '../../models/prompt-caches';

/** Longest key that OpenAI takes; a longer one is hashed. */
const KEY_CHARACTERS_MAX = 64;

type CacheFields = Pick<ChatCompletionCreateParamsStreaming, 'prompt_cache_key' | 'prompt_cache_retention'>;

/** The caller's fields about a provider's prompt cache, or the key that is sent where there is none of the caller's. */
export function promptCacheFields({ promptCache = {}, without = [] }: ProviderCall, otherwise?: string): CacheFields {
  const { key = otherwise, retention } = promptCache;
  return {
    ...(key && !without.includes('promptCacheKey') && { prompt_cache_key: shortKey(key) }),
    ...(retention &&
      !without.includes('promptCacheRetention') && {
        prompt_cache_retention: retention as NonNullable<CacheFields['prompt_cache_retention']>,
      }),
  };
}

function shortKey(key: string): string {
  return key.length <= KEY_CHARACTERS_MAX ? key : createHash('sha256').update(key).digest('base64url');
}

/** Key of a user's prompts with these instructions and tools, for a prompt that will be read again: tells nothing of them. */
export function cacheKeyOf({ prompt, userId }: ProviderCall, apiKey: string): string | undefined {
  if (!isMarked(prompt)) return undefined;
  const { system = '', tools } = prompt;
  const alike = JSON.stringify([userId, system, tools?.json]);
  return createHmac('sha256', apiKey).update(alike).digest('base64url');
}
