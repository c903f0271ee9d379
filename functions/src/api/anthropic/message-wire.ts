/* Replies in Anthropic's protocol: a message in one piece, or its blocks as they come. */
import * as z from 'zod';
import type { EnsembleResult } from '../../ensemble/open-ensemble';
import { anthropicError } from '../../http/error-body';
import type { EventWriter } from '../../http/event-stream';
import type { SpendTotals } from '../../ledger/request-ledger';
import { parsedJson } from '../../lib/json';
import { always, count, list, named, oneOf, type Sent, text } from '../../lib/reply-schemas';
import type { FinishReason } from '../../models/model';
import type { Reasoning } from '../../models/reasoning';
import type { Finished } from '../../runs/run';
import { textWriter } from '../answer/chunks';
import { EnsemblePart, ensemblePart } from '../answer/ensemble-part';
import type { ReplyHead, StreamWriter, Wire } from '../answer/wire';
import { thoughtToken } from '../shared/thought-token';

const Usage = named(
  'AnthropicUsage',
  () =>
    z.object({
      input_tokens: count('Of the prompts of all model calls of the run, without those that a cache had.'),
      cache_creation_input_tokens: always(0, 'Not told apart from the others.'),
      cache_read_input_tokens: count('Tokens of prompts that a cache had.'),
      output_tokens: count('Of all model calls of the run.'),
      server_tool_use: z.object({ web_search_requests: count('Searches of the web.') }).optional(),
    }),
  'All model calls of the run, not only the answer.',
);

const block = () =>
  z.union([
    z.object({
      type: always('thinking'),
      thinking: text('What the model thought.'),
      signature: text('To be sent back.'),
    }),
    z.object({ type: always('redacted_thinking'), data: text('Thoughts that are not shown; to be sent back.') }),
    z.object({ type: always('text'), text: text('The answer.') }),
    z.object({
      type: always('tool_use'),
      id: text('Of the call.'),
      name: text('The tool.'),
      input: z.custom<object>().meta({ type: 'object', description: 'Its arguments.' }),
    }),
  ]);
type MessageBlock = Sent<ReturnType<typeof block>>;

const stopReason = () =>
  oneOf(
    ['end_turn', 'tool_use', 'max_tokens', 'refusal', 'model_context_window_exceeded'],
    'How the answer ended; `tool_use` where its tools are waited for.',
  );

/** A message in one piece. */
export const Message = named('AnthropicMessage', () =>
  z.object({
    id: text('`msg_` and the milliseconds of the request.'),
    type: always('message'),
    role: always('assistant'),
    model: text('The `model` of the request, unchanged.'),
    content: list(block(), 'Thoughts, the answer, and calls of tools.'),
    stop_reason: stopReason().nullable(),
    stop_sequence: z.null(),
    usage: Usage,
    ensemble: EnsemblePart.optional(),
  }),
);
type Message = Sent<typeof Message>;

const blockDelta = () =>
  z.union([
    z.object({ type: always('text_delta'), text: text('A piece of the answer.') }),
    z.object({ type: always('thinking_delta'), thinking: text('A piece of what the model thinks.') }),
    z.object({ type: always('signature_delta'), signature: text('To be sent back.') }),
    z.object({ type: always('input_json_delta'), partial_json: text('A piece of the arguments.') }),
  ]);
const place = { index: count('The place of the block.') };

/** One event of a stream (`docs/api.md`, Messages). */
export const MessageEvent = named(
  'AnthropicMessageEvent',
  () =>
    z.union([
      z.object({ type: always('message_start'), message: Message }),
      z.object({ type: always('content_block_start'), ...place, content_block: block() }),
      z.object({ type: always('content_block_delta'), ...place, delta: blockDelta() }),
      z.object({ type: always('content_block_stop'), ...place }),
      z.object({
        type: always('message_delta'),
        delta: z.object({ stop_reason: stopReason(), stop_sequence: z.null() }),
        usage: Usage,
        ensemble: EnsemblePart,
      }),
      z.object({ type: always('message_stop') }),
      z.object({ type: always('ping'), ensemble: EnsemblePart.optional() }),
      z.object({
        type: always('error'),
        error: z.object({ type: text('The kind of error.'), message: text('What is wrong.') }),
      }),
    ]),
  'The JSON of one event, whose name is its `type`. The last one is `message_stop`, or `error`.',
);
type MessageEvent = Sent<typeof MessageEvent>;

/** Form of replies of the Messages API. */
export const messageWire: Wire<Message> = { idPrefix: 'msg_', named: true, whole, stream: messageWriter };

const STOP_REASONS: Partial<Readonly<Record<FinishReason, Message['stop_reason']>>> = {
  length: 'max_tokens',
  content_filter: 'refusal',
  context_window: 'model_context_window_exceeded',
};

function ending({ finishReason = 'stop', toolCalls }: EnsembleResult) {
  const stop_reason = STOP_REASONS[finishReason] ?? (toolCalls ? 'tool_use' : 'end_turn');
  return { stop_reason, stop_sequence: null } as const;
}

/** Tokens of a cache are counted apart from the others. */
function usageOf({ promptTokens, completionTokens, cachedPromptTokens, webSearches }: SpendTotals): Message['usage'] {
  return {
    input_tokens: promptTokens - cachedPromptTokens,
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: cachedPromptTokens,
    output_tokens: completionTokens,
    server_tool_use: webSearches ? { web_search_requests: webSearches } : undefined,
  };
}

interface Telling {
  /** Set where thoughts are told: to who asks for them, and to tool loops, which have to send them back. */
  readonly isTold: boolean;
  /** Set where they can be read. */
  readonly isShown: boolean;
}

function tellingOf(sent: object): Telling {
  const { thinking, tools } = sent as { thinking?: { type?: unknown; display?: unknown }; tools?: unknown };
  const isAsked = (thinking?.type ?? 'disabled') !== 'disabled';
  const hasTools = Array.isArray(tools) && tools.length > 0;
  return { isTold: isAsked || hasTools, isShown: isAsked && thinking?.display !== 'omitted' };
}

/** Words of thoughts, whatever their server calls them. */
function wordsOf({ reasoning_content, reasoning = '' }: Reasoning): string {
  return reasoning_content ?? reasoning;
}

function head({ id, model }: ReplyHead) {
  return { id, type: 'message', role: 'assistant', model } as const;
}

function whole(reply: ReplyHead, finished: Finished<EnsembleResult>, content: string): Message {
  const { result, totals } = finished;
  const { toolCalls = [], reasoning } = result;
  const { isTold, isShown } = tellingOf(reply.sent);
  const blocks: MessageBlock[] = [];
  if (reasoning && isTold) {
    blocks.push({ type: 'thinking', thinking: isShown ? wordsOf(reasoning) : '', signature: thoughtToken(reasoning) });
  }
  if (content !== '') blocks.push({ type: 'text', text: content });
  for (const { id, name, arguments: json } of toolCalls)
    blocks.push({ type: 'tool_use', id, name, input: inputOf(json) });
  return {
    ...head(reply),
    content: blocks,
    ...ending(result),
    usage: usageOf(totals),
    ensemble: ensemblePart(reply, finished),
  };
}

/** Arguments as an object. What a model wrote amiss is shown as it was. */
function inputOf(json: string): object {
  const parsed = parsedJson(json);
  const isObject = typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed);
  return isObject ? parsed : { arguments: json };
}

const UNUSED: Message['usage'] = {
  ...{ input_tokens: 0, cache_creation_input_tokens: 0, cache_read_input_tokens: 0, output_tokens: 0 },
};

/** Writer of the events of one message. */
function messageWriter(reply: ReplyHead, events: EventWriter): StreamWriter {
  const blocks = new BlockWriter(events);
  const { isTold, isShown } = tellingOf(reply.sent);
  const write = (event: MessageEvent): void => events.write(event);
  return {
    open: () => {
      const message = { ...head(reply), content: [], stop_reason: null, stop_sequence: null, usage: UNUSED };
      write({ type: 'message_start', message });
      events.repeatWhenSilent({ type: 'ping' });
    },
    text: (piece) => blocks.text(piece),
    toolCall: ({ index, begins, arguments: piece }) => {
      if (begins) blocks.call(index, begins);
      blocks.input(index, piece);
    },
    reasoning: (piece) => {
      if (isTold) blocks.thought(piece, isShown ? wordsOf(piece) : '');
    },
    status: (status) => events.repeatWhenSilent({ type: 'ping', ensemble: { status } }),
    trace: (trace) => write({ type: 'ping', ensemble: { trace } }),
    end: (finished) => {
      const { result, totals } = finished;
      blocks.end(isTold && result.toolCalls ? result.reasoning : undefined);
      write({
        type: 'message_delta',
        delta: ending(result),
        usage: usageOf(totals),
        ensemble: ensemblePart(reply, finished),
      });
      write({ type: 'message_stop' });
    },
    fail: ({ code, publicText: text }) => events.write(anthropicError({ code, text })),
  };
}

/** Writes blocks, one after the other. */
class BlockWriter {
  readonly #events: EventWriter;
  #count = 0;
  #open: MessageBlock['type'] | undefined;
  /** Writes a piece of the text that is open. */
  #writeText: (piece: string) => void = () => undefined;
  /** Blocks of calls, by their places among the calls. */
  readonly #calls = new Map<number, number>();
  #thoughts: Record<string, string> = {};

  constructor(events: EventWriter) {
    this.#events = events;
  }

  text(piece: string): void {
    if (this.#open !== 'text') {
      const index = this.#begin({ type: 'text', text: '' });
      this.#writeText = textWriter(deltaAt(index, { type: 'text_delta', text: '' }), this.#events);
    }
    this.#writeText(piece);
  }

  call(place: number, { id, name }: { readonly id: string; readonly name: string }): void {
    this.#calls.set(place, this.#begin({ type: 'tool_use', id, name, input: {} }));
  }

  input(place: number, partial_json: string): void {
    const index = this.#calls.get(place);
    const isOpen = index === this.#count - 1 && this.#open === 'tool_use';
    // Nothing stands for an empty object, which a call without arguments has at the end of the reply.
    if (index === undefined || partial_json === '' || (!isOpen && partial_json === '{}')) return;
    this.#events.write(deltaAt(index, { type: 'input_json_delta', partial_json }));
  }

  /** Takes a piece of what the model thinks, and the words of it that are shown. */
  thought(piece: Reasoning, words: string): void {
    const isNew = this.#open !== 'thinking';
    const index = isNew ? this.#begin({ type: 'thinking', thinking: '', signature: '' }) : this.#count - 1;
    for (const [name, text] of Object.entries(piece)) this.#thoughts[name] = `${this.#thoughts[name] ?? ''}${text}`;
    if (words !== '') this.#events.write(deltaAt(index, { type: 'thinking_delta', thinking: words }));
  }

  /** Ends the last block; `rest` is what else the model needs of its thoughts to go on. */
  end(rest: Reasoning | undefined): void {
    this.#close();
    if (!rest) return;
    this.#begin({ type: 'redacted_thinking', data: thoughtToken({ ...this.#thoughts, ...rest }) });
    this.#close();
  }

  #begin(block: MessageBlock): number {
    this.#close();
    const index = this.#count;
    this.#count += 1;
    this.#open = block.type;
    this.#events.write({ type: 'content_block_start', index, content_block: block } satisfies MessageEvent);
    return index;
  }

  #close(): void {
    if (this.#open === undefined) return;
    const index = this.#count - 1;
    // All thoughts so far, so that the last token has them all.
    if (this.#open === 'thinking') {
      this.#events.write(deltaAt(index, { type: 'signature_delta', signature: thoughtToken(this.#thoughts) }));
    }
    this.#events.write({ type: 'content_block_stop', index } satisfies MessageEvent);
    this.#open = undefined;
  }
}

function deltaAt(index: number, delta: Sent<ReturnType<typeof blockDelta>>): MessageEvent {
  return { type: 'content_block_delta', index, delta };
}
