import * as z from 'zod';
import type { EnsembleResult } from '../../ensemble/open-ensemble';
import type { Candidate } from '../../ensemble/run';
import type { EventWriter } from '../../http/event-stream';
import type { SpendTotals } from '../../ledger/request-ledger';
import { always, count, list, named, type Sent, text } from '../../lib/reply-schemas';
import type { ToolCallPiece } from '../../models/tools';
import { TraceEvent } from '../../runs/trace-event';
import {
  agreementByPlace,
  besideFields,
  endingBody,
  endingFields,
  explanationFields,
  finishReason,
  finishReasonOf,
  headFields,
  reasoningFields,
  sources,
  usageBody,
  usageFields,
} from './run-result';
import type { ReplyHead, StreamWriter } from './wire';

const NANO_USD_PER_UNIFIED_TOKEN = 1_000;

export const toolCallPiece = () =>
  z.object({
    index: count('The place of the call.'),
    id: text('Of a call that begins.').optional(),
    type: z.literal('function').optional(),
    function: z.object({
      name: text('Of a call that begins.').optional(),
      arguments: text('A piece of its arguments.'),
    }),
  });
const choice = () =>
  z.object({
    index: z.literal(0),
    delta: z.object({
      role: always('assistant').optional(),
      content: text('A piece of the answer.').optional(),
      tool_calls: list(toolCallPiece(), 'Pieces of the calls of tools that the answer consists of.').optional(),
      ...reasoningFields(),
    }),
    finish_reason: finishReason().nullable(),
    ...explanationFields(),
    ...besideFields(),
  });
const candidate = () =>
  z.object({
    model: text('The display name of a participant.'),
    label: text('The label of its entry in `models`.').optional(),
    text: text('Its last text.'),
    reasoning: text('The part that it played, else empty.'),
    sources: sources(),
  });

/** One event of a stream (`docs/api.md`, Streaming). */
export const ChatCompletionChunk = named(
  'ChatCompletionChunk',
  () =>
    z.object({
      ...headFields('chat.completion.chunk', 'The same in all chunks of a stream.'),
      choices: z.array(choice()).max(1).describe('One, and none in the chunk with `usage`.'),
      status: text('What the run is at, in words for people.').optional(),
      candidates: list(candidate(), 'When asked for, in a chunk of their own.').optional(),
      agreement: agreementByPlace().optional(),
      usage: z
        .object({ ...usageFields(), unifiedTokens: count('The cost in millionths of a US dollar, rounded up.') })
        .optional(),
      ...endingFields(),
      trace: TraceEvent.optional(),
    }),
  'The JSON of one event of a stream. The stream ends with `data: [DONE]`.',
);
type Chunk = Sent<typeof ChatCompletionChunk>;

export const StreamError = named(
  'StreamError',
  () => z.object({ error: text('Which models failed, and how.') }),
  'The last event of a stream whose run has failed; no `[DONE]` comes after it.',
);

/** Writer of the chunks of one stream. */
export function chunkWriter({ id, created, model, ignored }: ReplyHead, events: EventWriter): StreamWriter {
  const head = { id, object: 'chat.completion.chunk', created, model } as const;
  const chunk = (delta: Chunk['choices'][number]['delta'], rest: Partial<Chunk> = {}): Chunk => ({
    ...head,
    choices: [{ index: 0, delta, finish_reason: null }],
    ...rest,
  });
  return {
    // The only one with a role.
    open: () => events.write(chunk({ role: 'assistant', content: '' })),
    text: textWriter(chunk({ content: '' }), events),
    toolCall: (piece) => events.write(chunk({ tool_calls: [callDelta(piece)] })),
    reasoning: (piece) => events.write(chunk({ ...piece })),
    status: (status) => events.repeatWhenSilent(chunk({}, { status })),
    trace: (event) => events.write(chunk({}, { trace: event })),
    end: ({ result, totals }) => {
      const { candidates: listed, agreementByPlace: agreement } = result;
      if (listed) events.write(chunk({}, { candidates: listed.map(candidateBody), agreement }));
      // The only one without `choices`.
      if (totals.promptTokens + totals.completionTokens > 0)
        events.write({ ...head, choices: [], usage: chunkUsage(totals) });
      events.write(finalChunk(head, result, ignored));
    },
    fail: ({ publicText }) => events.write({ error: publicText }),
  };
}

/** Writes pieces of text as chunks like this one, which differ in their text alone; no empty text stands behind it. */
export function textWriter(textlessChunk: object, events: EventWriter): (text: string) => void {
  const textless = JSON.stringify(textlessChunk);
  const textAt = textless.lastIndexOf('""');
  const before = textless.slice(0, textAt);
  const behind = textless.slice(textAt + 2);
  return (text) => events.write(before + JSON.stringify(text) + behind);
}

/** A piece of a call of a function, as chunks have it. */
export function callDelta({ index, begins, arguments: piece }: ToolCallPiece): Sent<ReturnType<typeof toolCallPiece>> {
  const { id, name } = begins ?? {};
  return { index, id, type: begins && 'function', function: { name, arguments: piece } };
}

function candidateBody({ modelName, label, response, part = '', sources: pages }: Candidate) {
  return { model: modelName, label, text: response, reasoning: part, sources: pages };
}

function chunkUsage(totals: SpendTotals): Chunk['usage'] {
  return { ...usageBody(totals), unifiedTokens: Math.ceil(totals.costNanoUsd / NANO_USD_PER_UNIFIED_TOKEN) };
}

function finalChunk(
  head: Pick<Chunk, 'id' | 'object' | 'created' | 'model'>,
  result: EnsembleResult,
  ignored: readonly string[],
): Chunk {
  const { reasoning, explanation, analysis, agreement, checks, followUpPrompts } = result;
  const beside = { explanation, analysis, agreement, checks, followUpPrompts };
  const last = { index: 0, delta: { ...reasoning }, finish_reason: finishReasonOf(result), ...beside } as const;
  return { ...head, choices: [last], ...endingBody(result, ignored) };
}
