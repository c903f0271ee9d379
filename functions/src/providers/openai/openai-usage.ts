import type { ReportedUsage } from '../../models/model';
import { countOf, type Fields, fieldsOf, usageReport } from '../transport/reply-fields';

/** Names that servers give a count in a usage report, a dot before a name within another. */
const NAMES = {
  promptTokens: ['prompt_tokens', 'input_tokens'],
  completionTokens: ['completion_tokens', 'output_tokens'],
  totalTokens: ['total_tokens'],
  cachedPromptTokens: [
    ...[
      'prompt_tokens_details.cached_tokens',
      'input_tokens_details.cached_tokens',
      'input_token_details.cached_tokens',
    ],
    ...['prompt_cache_hit_tokens', 'cached_tokens', 'cache_read_input_tokens'],
  ],
  cacheWritePromptTokens: [
    ...['prompt_tokens_details.cache_write_tokens', 'input_tokens_details.cache_write_tokens'],
    ...['prompt_tokens_details.cache_creation_tokens', 'cache_creation_input_tokens'],
  ],
  reasoningTokens: [
    ...['completion_tokens_details.reasoning_tokens', 'output_tokens_details.reasoning_tokens'],
    ...['reasoning_tokens'],
  ],
} as const satisfies Readonly<Record<string, readonly string[]>>;
const PATHS = Object.entries(NAMES).map(([name, paths]) => [name, paths.map((path) => path.split('.'))] as const);

type Counts = Partial<Readonly<Record<keyof typeof NAMES, number>>>;

/** Usage report of a chunk or a completion: beside its choices, or in the first of them. */
export function usageIn({ usage, x_groq }: Fields, choice: Fields): unknown {
  return usage || choice['usage'] || (x_groq ? fieldsOf(x_groq)['usage'] : undefined);
}

/** Token counts of a usage report. Prompt tokens are gross: those of a cache that are counted apart are added. */
export function usageOf(usage: unknown): ReportedUsage | undefined {
  const { totalTokens: total, ...counts } = countsIn(fieldsOf(usage));
  const { promptTokens: prompt, completionTokens: completion = total && 0 } = counts;
  if (!prompt && !completion) return undefined;
  if (prompt === undefined || completion === undefined) return usageReport(counts);
  // Tokens of the total that neither count has: of the cache, or generated without being shown (xAI, Gemini's compatible
  // endpoint leave reasoning out of the completion and bill it all the same).
  const beyond = Math.max(0, (total ?? 0) - prompt - completion);
  const apart = cacheTokensApart(counts, beyond);
  return usageReport({
    ...counts,
    promptTokens: prompt + apart,
    completionTokens: completion + Math.max(0, beyond - apart),
  });
}

/** Tokens of the cache that the prompt's count leaves out: they explain the total, or are more than the prompt. */
function cacheTokensApart(counts: Counts, beyond: number): number {
  const { promptTokens: prompt = 0, cachedPromptTokens: cached = 0, cacheWritePromptTokens: written = 0 } = counts;
  if (beyond > 0 && beyond === counts.reasoningTokens) return 0;
  const all = cached + written;
  const apart = [all, cached, written].find((tokens) => tokens > 0 && tokens <= beyond) ?? 0;
  return all > prompt + apart ? all : apart;
}

function countsIn(usage: Fields): Counts {
  return Object.fromEntries(PATHS.map(([name, paths]) => [name, firstCount(usage, paths)]));
}

/** The first count that is not 0; 0 where all are. */
function firstCount(usage: Fields, paths: readonly (readonly string[])[]): number | undefined {
  const values = paths.map((path) => path.reduce<unknown>((value, name) => fieldsOf(value)[name], usage));
  const counts = values.map(countOf).filter((count) => count !== undefined);
  return counts.find((count) => count > 0) ?? counts[0];
}
