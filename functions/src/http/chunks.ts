import { usageBody } from '../endpoints/completion-body';
import type { ChunkMeta } from '../endpoints/endpoint';
import type { Candidate } from '../ensemble/events';
import type { SpendTotals } from '../usage/books';

/** What the last chunk of a stream carries beside `finish_reason`. */
export interface FinalParts {
  explanation?: string;
  followUpPrompts?: readonly string[];
  readonly degraded: string[];
}

/** Builds the chunks of one stream (spec "ChatCompletionChunk"); all share `id`, `created` and `model`. */
export interface ChunkBuilder {
  /** First of all: the one chunk with a role, before any model is called. */
  opening(): object;
  status(text: string): object;
  delta(text: string): object;
  candidates(list: readonly Candidate[]): object;
  /** The one chunk with empty `choices` and the one with `usage`. */
  usage(totals: SpendTotals): object;
  final(parts: FinalParts): object;
}

const NANO_PER_UNIT = 1_000;

/** Chunks for one stream. */
export function chunkBuilder({ id, created, model }: ChunkMeta): ChunkBuilder {
  const head = { id, object: 'chat.completion.chunk', created, model };
  const choice = (delta: object): object => ({ index: 0, delta, finish_reason: null });
  return {
    opening: () => ({ ...head, choices: [choice({ role: 'assistant', content: '' })] }),
    status: (status) => ({ ...head, choices: [choice({})], status }),
    delta: (content) => ({ ...head, choices: [choice({ content })] }),
    candidates: (list) => ({
      ...head,
      choices: [choice({})],
      candidates: list.map(({ modelName, response, note }) => ({
        model: modelName,
        text: response,
        reasoning: note ?? '',
      })),
    }),
    usage: (totals) => ({
      ...head,
      choices: [],
      usage: { ...usageBody(totals), unifiedTokens: Math.ceil(totals.costNanoUsd / NANO_PER_UNIT) },
    }),
    final: ({ explanation, followUpPrompts, degraded }) => ({
      ...head,
      choices: [
        {
          index: 0,
          delta: {},
          finish_reason: 'stop',
          ...(explanation !== undefined && { explanation }),
          ...(followUpPrompts && { followUpPrompts }),
        },
      ],
      ...(degraded.length > 0 && { degraded }),
    }),
  };
}
