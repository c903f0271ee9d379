import type { ChatCompletionChunk, StreamError } from '../../src/api/answer/chunks';
import type { EvaluationList } from '../../src/api/v1/evaluation-body';
import type { Sent } from '../../src/lib/reply-schemas';

/** Replies as clients read them (docs/api.md), loosely typed for assertions. */

/** Fields of the replies of both endpoints that run models. */
interface WireExtras {
  readonly usage: Readonly<Record<string, unknown>>;
  readonly degraded?: readonly string[];
  readonly ignored?: readonly string[];
}

interface WireInsights {
  readonly explanation?: string;
  readonly analysis?: object;
  readonly candidates?: readonly {
    readonly modelId: string;
    readonly modelName: string;
    readonly label?: string;
    readonly response: string;
  }[];
  readonly followUpPrompts?: readonly string[];
  readonly checks?: readonly { readonly check: string; readonly passed: boolean | null; readonly words: string }[];
  readonly agreement?: Readonly<Record<string, number | string>>;
}

/** A `ChatCompletionResponse`. */
export interface WireCompletion extends WireExtras {
  readonly model: string;
  readonly choices: readonly [
    Omit<WireInsights, 'explanation' | 'analysis'> & {
      readonly message: {
        readonly role: string;
        readonly content: string;
        readonly explanation?: string;
        readonly analysis?: object;
        readonly tool_calls?: readonly { readonly function: { readonly arguments: string } }[];
      };
      readonly finish_reason: string;
    },
  ];
}

/** A `ResponsesResponse`. */
export interface WireResponse extends WireExtras, WireInsights {
  readonly id: string;
  readonly model: string;
  readonly output: readonly [
    { readonly id: string; readonly content: readonly [{ readonly type: string; readonly text: string }] },
  ];
}

/** A reply of either endpoint. */
export type WireRun = WireCompletion & WireResponse;

/** A reply of the evaluations endpoint, … */
export type WireEvaluations = Sent<typeof EvaluationList>;
/** … and one of its `ModelEvaluation`s. */
export type WireEvaluation = WireEvaluations['evaluations'][number];

/** A `UsageResponse`. */
export interface WireUsage {
  readonly object: string;
  readonly has_more: boolean;
  readonly data: readonly WireUsageRecord[];
}

/** Its one record. */
export interface WireUsageRecord {
  readonly aggregation_timestamp: number;
  readonly n_requests: number;
  readonly n_context_tokens_total: number;
  readonly n_generated_tokens_total: number;
  readonly total_tokens: number;
  readonly total_cost: number;
  readonly period: { readonly start: string; readonly end: string };
  readonly months: readonly string[];
  readonly breakdown: readonly { readonly model_id: string }[];
  readonly apiKeyBreakdown: readonly { readonly keyName: string }[];
}

/** Copies with the lines in the order of their names: none is promised. */
export function sortedRecord(record: WireUsageRecord | undefined): WireUsageRecord | undefined {
  return (
    record && {
      ...record,
      breakdown: record.breakdown.toSorted((a, b) => (a.model_id < b.model_id ? -1 : 1)),
      apiKeyBreakdown: record.apiKeyBreakdown.toSorted((a, b) => (a.keyName < b.keyName ? -1 : 1)),
    }
  );
}

/** One chunk of a stream, or the error that ends it. */
export type WireChunk = Sent<typeof ChatCompletionChunk> & Partial<Sent<typeof StreamError>>;

/** A finished stream, taken apart. */
export interface WireStream {
  readonly raw: string;
  readonly chunks: WireChunk[];
  readonly done: boolean;
  readonly content: string;
}

/** Reads a whole event stream; throws on anything that is not a `data:` line and a blank line. */
export async function readStream(response: Response): Promise<WireStream> {
  const raw = await response.text();
  const events = raw.split('\n\n');
  if (events.pop() !== '') throw new Error('the stream does not end with a blank line');
  const data = events.map((event) => {
    if (!event.startsWith('data: ') || event.includes('\n')) throw new Error(`not one data line: ${event}`);
    return event.slice('data: '.length);
  });
  const done = data.at(-1) === '[DONE]';
  const chunks = (done ? data.slice(0, -1) : data).map((json) => JSON.parse(json) as WireChunk);
  const content = chunks.map((chunk) => chunk.choices?.[0]?.delta.content ?? '').join('');
  return { raw, chunks, done, content };
}
