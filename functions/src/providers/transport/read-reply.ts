import type { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { createParser, type EventSourceMessage } from 'eventsource-parser';
import type { CallListener, FinishReason } from '../../models/model';
import { ModelFault } from '../../models/model-fault';
import type { Reasoning } from '../../models/reasoning';
import { CalledTools } from './called-tools';
import { reportedFault } from './provider-fault';
import { type Fields, fieldsOf, isSystemError, parseJson, textOf } from './reply-fields';

/** A line, an event's data or a body longer than this many characters is no part of a reply. */
const EVENT_MAX_CHARACTERS = 4 * 1024 * 1024;
/** More than this in one reply, of whatever kind, is no answer: each token of a long one takes some 300 characters. */
const STREAM_MAX_CHARACTERS = 64 * 1024 * 1024;
/** Time that a server which has sent its last event may take to end the response before its connection is closed. */
const LINGER_MS = 250;
/** Time to wait for the frames behind the end of a reply, such as its usage. */
const LAST_FRAMES_MS = 10_000;

/** Reads a reply, as events or one JSON body; a promise of the listener stops the reading, a failure destroys the stream. */
export async function readReply(
  stream: Readable,
  reply: ReplyReader,
  { signal, listener }: { readonly signal: AbortSignal; readonly listener: CallListener },
): Promise<FinishReason> {
  const onAbort = (): void => {
    stream.destroy(new ModelFault('aborted', { cause: signal.reason }));
  };
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    if (signal.aborted) onAbort();
    const frames = new Frames(reply, listener);
    await readFrames(stream, frames);
    await frames.end();
  } catch (error) {
    stream.destroy();
    // Once its reason has come, the reply is whole, though its connection breaks behind it.
    if (!reply.hasEnded || !isSystemError(error)) throw error;
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
  return reply.end();
}

async function readFrames(stream: Readable, frames: Frames): Promise<void> {
  let lastFrames: NodeJS.Timeout | undefined;
  for await (const text of stream.setEncoding('utf8').iterator({ destroyOnReturn: false })) {
    clearTimeout(lastFrames);
    await frames.take(text);
    if (frames.isOver) break;
    if (frames.hasEnded) lastFrames = setTimeout(() => stream.destroy(), LAST_FRAMES_MS).unref();
  }
  clearTimeout(lastFrames);
  // What may follow is read, so that the connection can be used again.
  const linger = setTimeout(() => stream.destroy(), LINGER_MS).unref();
  stream
    .once('close', () => clearTimeout(linger))
    .on('error', () => undefined)
    .resume();
  // Its end has mostly come already: the next call is to find the connection free.
  await setImmediate();
}

/** Hands the objects in the text of a response to the reader of the reply. */
class Frames {
  isOver = false;
  readonly #reply: ReplyReader;
  readonly #listener: CallListener;
  readonly #events: EventSourceMessage[] = [];
  readonly #parser = createParser({
    maxBufferSize: EVENT_MAX_CHARACTERS,
    onEvent: (event) => this.#events.push(event),
    onError: ({ type }) => {
      if (type === 'max-buffer-size-exceeded') throw new ModelFault('protocol');
    },
  });
  #form: 'events' | 'body' | undefined;
  #body = '';
  #characters = 0;
  /** Characters since the last whole event. */
  #pending = 0;
  #isLineWhole = true;

  constructor(reply: ReplyReader, listener: CallListener) {
    this.#reply = reply;
    this.#listener = listener;
  }

  get hasEnded(): boolean {
    return this.#reply.hasEnded;
  }

  async take(text: string): Promise<void> {
    this.#characters += text.length;
    if (this.#characters > STREAM_MAX_CHARACTERS) throw new ModelFault('output_too_long');
    this.#form ??= formOf(text);
    this.#isLineWhole = /[\r\n]$/.test(text);
    if (this.#form === 'body') this.#body += text;
    else this.#parser.feed(text);
    this.#pending = this.#events.length > 0 ? 0 : this.#pending + text.length;
    if (this.#body.length > EVENT_MAX_CHARACTERS) throw new ModelFault('protocol');
    if (this.#pending > 0) this.#listener.pending(this.#pending);
    await this.#handle();
  }

  /** The response is at its end. Some servers leave out the blank line after their last event. */
  async end(): Promise<void> {
    if (this.#form === 'body') return this.#takeBody();
    if (this.#isLineWhole && !this.isOver) this.#parser.feed('\n\n');
    await this.#handle();
  }

  async #handle(): Promise<void> {
    for (const event of this.#events.splice(0)) {
      const taken = this.#takeEvent(event);
      if (taken === 'stop') {
        this.isOver = true;
        return;
      }
      if (taken) await taken;
    }
  }

  /** Data that is no JSON is a note or a keep-alive of the server's. */
  #takeEvent({ event, data }: EventSourceMessage): Taken {
    const text = data.startsWith('{') ? data : data.trim();
    if (text.startsWith('{')) return this.#reply.take(fieldsOf(parseJson(text)), event);
    if (text === '[DONE]') return this.#reply.endMark();
    if (event === 'error') throw reportedFault(text);
    return undefined;
  }

  /** A reply in one piece, or its chunks as one list, as Gemini has them where no events are asked for. */
  async #takeBody(): Promise<void> {
    const body = parseJson(this.#body.trim());
    for (const value of Array.isArray(body) ? body : [body]) await this.#reply.take(fieldsOf(value), undefined);
    if (!this.#reply.hasEnded) throw new ModelFault('protocol');
  }
}

/** Form of a response by its first character, whatever its content type says; undefined while there is none. */
function formOf(text: string): 'events' | 'body' | undefined {
  const [first] = text.trimStart();
  if (first === '<') throw new ModelFault('wrong_address');
  if (first === undefined) return undefined;
  return first === '{' || first === '[' ? 'body' : 'events';
}

/** Longer words name no ending. */
const WORD_CHARACTERS_MAX = 64;

/** Whole endings of all protocols but Gemini's. */
const WHOLE: ReadonlySet<string> = new Set([
  ...['stop', 'tool_calls', 'function_call', 'end_turn', 'stop_sequence', 'tool_use'],
  ...['eos', 'eos_token', 'complete', 'completed'],
]);

/** Endings of a reply that is cut off, in the words of all protocols and of servers that are compatible with them. */
const CUTS: Readonly<Record<Exclude<FinishReason, 'stop' | 'unknown'>, readonly string[]>> = {
  length: ['length', 'max_tokens', 'max_output_tokens', 'max_tool_calls', 'max_length', 'model_length', 'pause_turn'],
  context_window: ['model_context_window_exceeded', 'context_window_exceeded', 'context_length_exceeded'],
  content_filter: [
    ...['content_filter', 'content_filtered', 'refusal', 'sensitive', 'guardrail_intervened'],
    ...['safety', 'recitation', 'language', 'blocklist', 'prohibited_content', 'spii'],
    ...['image_safety', 'image_prohibited_content', 'image_recitation'],
  ],
  failed: [
    ...['error', 'network_error', 'abort', 'aborted', 'cancelled', 'insufficient_system_resource'],
    ...['malformed_function_call', 'unexpected_tool_call', 'malformed_response', 'too_many_tool_calls'],
  ],
};
const CUT_OF_WORD = new Map(
  Object.entries(CUTS).flatMap(([reason, words]) => words.map((word) => [word, reason as FinishReason])),
);

/** Outcome of one object of a reply: a promise to wait for, or `stop` where it was the last one. */
export type Taken = Promise<void> | 'stop' | undefined;

/** Reads the objects of one reply, tells the listener, and keeps the reason of its ending. */
export abstract class ReplyReader {
  protected readonly listener: CallListener;
  protected readonly called: CalledTools;
  readonly #whole: ReadonlySet<string>;
  #finishReason: FinishReason | undefined;

  /** `whole`: the words for an ending that leaves nothing out, in small letters. */
  constructor(listener: CallListener, whole = WHOLE) {
    this.listener = listener;
    this.called = new CalledTools(listener);
    this.#whole = whole;
  }

  /**
   * Takes one object: an event of a stream, or a reply in one piece. Hot path: a few property reads. Throws `ModelFault`
   * with the failure that the provider reports in it.
   */
  abstract take(fields: Fields, event: string | undefined): Taken;

  /** True once the reason of the ending is known: whatever frame is missing behind it, the reply is there. */
  get hasEnded(): boolean {
    return this.#finishReason !== undefined;
  }

  /** Notes the provider's word for the ending; none is no ending. */
  protected endsBy(word: unknown): void {
    if (word && word !== 'null') this.#finishReason = finishReasonOf(word, this.#whole);
  }

  /** Tells that the model thinks, and what, where it says so. */
  protected think(aloud: Reasoning | undefined): Promise<void> | undefined {
    if (aloud) return this.listener.thought(aloud);
    this.listener.alive('thinks');
    return undefined;
  }

  /** The mark of the end has come: without a reason before it, nothing tells that the reply is whole. */
  endMark(): 'stop' {
    this.#finishReason ??= 'unknown';
    return 'stop';
  }

  /** Reason of the ending, once nothing more comes. Throws `network` where the stream told none: it was cut off. */
  async end(): Promise<FinishReason> {
    if (!this.#finishReason) throw new ModelFault('network');
    await this.called.end();
    return this.#finishReason;
  }
}

/** Meaning of a provider's word for an ending, in letters of either case: `stop` only where it is one of `whole`. */
function finishReasonOf(word: unknown, whole: ReadonlySet<string>): FinishReason {
  const small = textOf(word).slice(0, WORD_CHARACTERS_MAX).toLowerCase();
  return whole.has(small) ? 'stop' : (CUT_OF_WORD.get(small) ?? 'unknown');
}
