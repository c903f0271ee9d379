import { usageOf } from './openai-usage';

const counts = (prompt_tokens: unknown, completion_tokens: unknown, total_tokens?: number) => ({
  ...{ prompt_tokens, completion_tokens },
  ...(total_tokens !== undefined && { total_tokens }),
});
const report = (promptTokens: number, completionTokens: number, more = {}) => ({
  ...{ promptTokens, completionTokens },
  ...more,
});

it.each<[rule: string, usage: object, report: object | undefined]>([
  [
    'tokens written to a cache are told apart',
    { ...counts(900, 20, 920), prompt_tokens_details: { cached_tokens: 0, cache_write_tokens: 800 } },
    report(900, 20, { cachedPromptTokens: 0, cacheWritePromptTokens: 800 }),
  ],
  [
    'reasoning left out of the completion, as xAI reports it, is part of ours',
    {
      ...counts(10_120, 1_499, 14_428),
      ...{ prompt_tokens_details: { cached_tokens: 128 }, completion_tokens_details: { reasoning_tokens: 2_809 } },
    },
    report(10_120, 4_308, { cachedPromptTokens: 128, reasoningTokens: 2_809 }),
  ],
  [
    'reasoning that only the total has, as Gemini’s compatible endpoint reports it, is part of the completion',
    counts(758, 102, 1_725),
    report(758, 967),
  ],
  [
    'tokens of a cache that only the total has are part of the prompt, and are not generated',
    { ...counts(100, 20, 10_120), prompt_tokens_details: { cached_tokens: 9_000, cache_write_tokens: 1_000 } },
    report(10_100, 20, { cachedPromptTokens: 9_000, cacheWritePromptTokens: 1_000 }),
  ],
  [
    'what the total has beyond the tokens of a cache was generated',
    { ...counts(100, 20, 9_220), cache_read_input_tokens: 9_000 },
    report(9_100, 120, { cachedPromptTokens: 9_000 }),
  ],
  [
    'of two counts of a cache that are apart the total may have one',
    { ...counts(100, 20, 9_120), cache_read_input_tokens: 9_000, cache_creation_input_tokens: 50_000 },
    report(59_100, 20, { cachedPromptTokens: 9_000, cacheWritePromptTokens: 50_000 }),
  ],
  [
    'more tokens of a cache than of the prompt were counted apart, whatever the total says',
    { ...counts(100, 20), cached_tokens: 9_000 },
    report(9_100, 20, { cachedPromptTokens: 9_000 }),
  ],
  [
    'reasoning beside a prompt from the cache stays generated',
    {
      ...counts(1_000, 20, 1_500),
      ...{ prompt_cache_hit_tokens: 400, completion_tokens_details: { reasoning_tokens: 480 } },
    },
    report(1_000, 500, { cachedPromptTokens: 400, reasoningTokens: 480 }),
  ],
  ['a total and a prompt tell the completion', { prompt_tokens: 100, total_tokens: 120 }, report(100, 20)],
  ['counts that no call can have are none', counts(9e15, 5, 9e15), { completionTokens: 5 }],
  ['a total below its parts changes nothing', counts(10, 5, 0), report(10, 5)],
  ['a fraction is rounded up, and what is negative is none', counts(-1, 1.5), { completionTokens: 2 }],
  ['words and lists are no counts', counts('ten', ['5']), undefined],
  ['nothing but zeros is no report', counts(0, 0, 0), undefined],
])('%s', (_, usage, expected) => expect(usageOf(usage)).toEqual(expected));
