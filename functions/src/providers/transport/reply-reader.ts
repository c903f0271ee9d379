import type { Readable } from 'node:stream';
import { type CallListener, type FinishReason, ModelFault } from '../../models/model';
import { CalledTools } from './called-tools';
import { readEvents, type ServerSentEvent } from './event-stream';
import { finishReasonOf, WHOLE } from './finish-reason';
import { reportedFault } from './provider-fault';
import { type Fields, fieldsOf, parseJson } from './reply-fields';

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

/** Reads a whole reply, as events or as one JSON body, and resolves with the reason of its ending. */
export async function readReply(
  stream: Readable,
  reply: ReplyReader,
  { signal, listener }: { readonly signal: AbortSignal; readonly listener: CallListener },
): Promise<FinishReason> {
  await readEvents(stream, {
    signal,
    onEvent: (event) => taken(reply, event),
    onPending: (characters) => listener.pending(characters),
    hasEnded: () => reply.hasEnded,
  });
  return reply.end();
}

/** Data that is no JSON is a note or a keep-alive of the server's. */
function taken(reply: ReplyReader, { event, data, isBody }: ServerSentEvent): Taken {
  if (!isBody && data.startsWith('{')) return reply.take(fieldsOf(parseJson(data)), event);
  const text = data.trim();
  if (isBody) return bodyTaken(reply, parseJson(text));
  if (text === '[DONE]') return reply.endMark();
  if (!text.startsWith('{')) {
    if (event === 'error') throw reportedFault(text);
    return undefined;
  }
  return reply.take(fieldsOf(parseJson(text)), event);
}

/** A reply in one piece, or its chunks as one list, as Gemini has them where no events are asked for. */
async function bodyTaken(reply: ReplyReader, body: unknown): Promise<void> {
  for (const value of Array.isArray(body) ? body : [body]) await reply.take(fieldsOf(value), undefined);
  if (!reply.hasEnded) throw new ModelFault('protocol');
}
