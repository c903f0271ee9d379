import type { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { createParser, type EventSourceMessage } from 'eventsource-parser';
import type { CallListener, FinishReason } from '../../models/model';
import { ModelFault } from '../../models/model-fault';
import { reportedFault } from './provider-fault';
import { fieldsOf, isSystemError, parseJson } from './reply-fields';
import type { ReplyReader, Taken } from './reply-reader';

/** A line, an event's data or a body longer than this many characters is no part of a reply. */
const EVENT_MAX_CHARACTERS = 4 * 1024 * 1024;
/** More than this in one reply, of whatever kind, is no answer: each token of a long one takes some 300 characters. */
const STREAM_MAX_CHARACTERS = 64 * 1024 * 1024;
/** Time that a server which has sent its last event may take to end the response before its connection is closed. */
const LINGER_MS = 250;
/** Time to wait for the frames behind the end of a reply, such as its usage. */
const LAST_FRAMES_MS = 10_000;

/**
 * Reads a whole reply, as events or as one JSON body, from a Node stream, and resolves with the reason of its ending. A
 * promise of the listener stops the reading until it resolves. On a failure the stream is destroyed; rejects with what a
 * listener threw, the stream's own error, or a `ModelFault` `aborted`, `protocol`, `output_too_long` or `wrong_address`.
 */
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
