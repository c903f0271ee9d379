/* Replies in Anthropic's protocol: a message in one piece, or its blocks as they come. */
import * as z from 'zod';
import type { EnsembleResult } from '../../ensemble/open-ensemble';
import { anthropicError } from '../../http/error-body';
import type { EventWriter } from '../../http/event-stream';
import type { SpendTotals } from '../../ledger/request-ledger';
import { always, count, list, named, oneOf, type Sent, text } from '../../lib/reply-schemas';
import type { FinishReason } from '../../models/model';
import type { Reasoning } from '../../models/reasoning';
import { argumentsObject } from '../../models/tools';
import type { Finished } from '../../runs/run';
import { EnsemblePart, ensemblePart } from '../answer/ensemble-part';
import type { ReplyHead, StreamWriter, Wire } from '../answer/wire';
import { thoughtToken } from '../shared/thought-token';
import { BlockWriter } from './block-writer';
import { asksForThoughts } from './request';

const BLOCK_TYPES = ['thinking', 'redacted_thinking', 'text', 'tool_use'] as const;
const STOP_REASONS = ['end_turn', 'tool_use', 'max_tokens', 'refusal', 'model_context_window_exceeded'] as const;
const EVENT_TYPES = [
  ...['message_start', 'content_block_start', 'content_block_delta', 'content_block_stop'],
  ...['message_delta', 'message_stop', 'ping', 'error'],
] as const;

/** A message in one piece. */
export const Message = named('AnthropicMessage', () =>
  z.object({
    id: text('`msg_` and the milliseconds of the request.'),
    type: always('message'),
    role: always('assistant'),
    model: text('The `model` of the request, unchanged.'),
    content: list(
      z.looseObject({ type: oneOf(BLOCK_TYPES, 'With the fields that Anthropic has for it.') }),
      'Thoughts, the answer, and calls of tools.',
    ),
    stop_reason: oneOf(STOP_REASONS, 'How the answer ended; `tool_use` where its tools are waited for.').nullable(),
    stop_sequence: z.null(),
    usage: z
      .object({
        input_tokens: count('Of prompts, without those that a cache had.'),
        cache_creation_input_tokens: always(0, 'Not told apart from the others.'),
        cache_read_input_tokens: count('Tokens of prompts that a cache had.'),
        output_tokens: count('Tokens of replies.'),
        server_tool_use: z.object({ web_search_requests: count('Searches of the web.') }).optional(),
      })
      .describe('All model calls of the run, not only the answer.'),
    ensemble: EnsemblePart.optional(),
  }),
);
type Message = Sent<typeof Message>;

/** One event of a stream (`docs/api.md`, Messages). */
export const MessageEvent = named(
  'AnthropicMessageEvent',
  () =>
    z.looseObject({
      type: oneOf(EVENT_TYPES, 'Its name, too. A whole stream ends with `message_stop`, a failed one with `error`.'),
      ensemble: EnsemblePart.optional(),
    }),
  'The JSON of one event, with the fields that Anthropic has for it.',
);

/** Form of replies of the Messages API. */
export const messageWire: Wire<Message> = { idPrefix: 'msg_', named: true, whole, stream: messageWriter };

const REASONS: Partial<Readonly<Record<FinishReason, (typeof STOP_REASONS)[number]>>> = {
  length: 'max_tokens',
  content_filter: 'refusal',
  context_window: 'model_context_window_exceeded',
};

function ending({ finishReason = 'stop', toolCalls }: EnsembleResult) {
  const stop_reason = REASONS[finishReason] ?? (toolCalls ? 'tool_use' : 'end_turn');
  return { stop_reason, stop_sequence: null } as const;
}

/** Tokens that a cache had are counted apart from the others. */
function usageOf(totals: Partial<SpendTotals>): Message['usage'] {
  const { promptTokens = 0, cachedPromptTokens = 0, completionTokens = 0, webSearches } = totals;
  return {
    input_tokens: Math.max(0, promptTokens - cachedPromptTokens),
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: cachedPromptTokens,
    output_tokens: completionTokens,
    server_tool_use: webSearches ? { web_search_requests: webSearches } : undefined,
  };
}

/**
 * Words that are shown of thoughts, whatever their server calls them. Undefined where nothing is told of them: only who asks
 * for thoughts has them, and tool loops, which have to send them back, their tokens.
 */
function teller(sent: object): (piece: Reasoning) => string | undefined {
  const { thinking, tools } = sent as { readonly thinking?: { readonly display?: unknown }; readonly tools?: unknown };
  const isAsked = asksForThoughts(thinking);
  if (isAsked && thinking?.display !== 'omitted') return (piece) => piece.reasoning_content ?? piece.reasoning ?? '';
  const isTold = isAsked || (Array.isArray(tools) && tools.length > 0);
  return () => (isTold ? '' : undefined);
}

function head({ id, model }: ReplyHead) {
  return { id, type: 'message', role: 'assistant', model } as const;
}

function whole(reply: ReplyHead, finished: Finished<EnsembleResult>, content: string): Message {
  const { result, totals } = finished;
  const { toolCalls = [], reasoning } = result;
  const thinking = reasoning && teller(reply.sent)(reasoning);
  const signature = thoughtToken(reasoning ?? {});
  const thought = thinking !== undefined && { type: 'thinking' as const, thinking, signature };
  const said = content !== '' && { type: 'text' as const, text: content };
  const calls = toolCalls.map((call) => ({
    ...{ type: 'tool_use' as const, id: call.id, name: call.name, input: argumentsObject(call.arguments) },
  }));
  return {
    ...head(reply),
    content: [thought, said, ...calls].filter((block) => block !== false),
    ...ending(result),
    usage: usageOf(totals),
    ensemble: ensemblePart(reply, finished),
  };
}

function messageWriter(reply: ReplyHead, events: EventWriter): StreamWriter {
  const blocks = new BlockWriter(events);
  const wordsOf = teller(reply.sent);
  return {
    open: () => {
      const message = { ...head(reply), content: [], stop_reason: null, stop_sequence: null, usage: usageOf({}) };
      events.write({ type: 'message_start', message });
      events.repeatWhenSilent({ type: 'ping' });
    },
    text: (piece) => blocks.text(piece),
    toolCall: (piece) => blocks.toolCall(piece),
    reasoning: (piece) => {
      const words = wordsOf(piece);
      if (words !== undefined) blocks.thought(piece, words);
    },
    status: (status) => events.repeatWhenSilent({ type: 'ping', ensemble: { status } }),
    trace: (trace) => events.write({ type: 'ping', ensemble: { trace } }),
    end: (finished) => {
      const { result, totals } = finished;
      const ensemble = ensemblePart(reply, finished);
      blocks.end(result.toolCalls && result.reasoning);
      events.write({ type: 'message_delta', delta: ending(result), usage: usageOf(totals), ensemble });
      events.write({ type: 'message_stop' });
    },
    fail: ({ code, publicText: text }) => events.write(anthropicError({ code, text })),
  };
}
