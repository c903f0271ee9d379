import { finished, type Readable } from 'node:stream';
import { createParser } from 'eventsource-parser';
import { ModelFault } from '../../models/model';

/** One server-sent event. */
export interface ServerSentEvent {
  readonly event?: string | undefined;
  readonly data: string;
  /** Set where it is no event, but all of a body that begins as JSON does. */
  readonly isBody?: true;
}

/** What is done with the events, and until when. */
export interface EventHandling {
  /**
   * Gets every event in order. A returned promise stops the reading until it resolves; `stop` says that the last event
   * wanted has come. What it throws, or rejects with, ends the reading.
   */
  onEvent(event: ServerSentEvent): Promise<void> | 'stop' | undefined;
  /** Told of what is kept until an event is whole: so many characters. */
  onPending?(characters: number): void;
  /** True once the reply is complete: a stream that then breaks, or goes on without another event, has ended well. */
  hasEnded?(): boolean;
  readonly signal: AbortSignal;
}

/** A line, or an event's data, longer than this many characters without an end is not a stream of events. */
const EVENT_MAX_CHARACTERS = 4 * 1024 * 1024;
/** More than this in one reply, of whatever kind, is no answer: each token of a long one takes some 300 characters. */
const STREAM_MAX_CHARACTERS = 64 * 1024 * 1024;
/** How long a server that has said its last word may take to end the response before its connection is closed. */
const LINGER_MS = 250;
/** Time to wait for the frames behind the end of a reply, such as its usage. */
const LAST_FRAMES_MS = 10_000;

/**
 * Reads server-sent events from a Node stream by 'data' events: no promise per chunk (ADR 4). A body whose first character
 * begins JSON, whatever its content type says, is one event. Resolves at the end of the stream or on `stop`. Otherwise destroys the stream and rejects: with what `onEvent` threw, or with a `ModelFault`
 * `aborted`, `network` (the stream broke), `protocol` (an event too long), `output_too_long` or `wrong_address` (a web
 * page).
 *
 * The handlers run outside any domain, where a throw would end the process: none of them throws.
 */
export function readEvents(
  stream: Readable,
  { onEvent, onPending, hasEnded = () => false, signal }: EventHandling,
): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  /** Events that came while one was being handled, or in the same chunk. */
  const waiting: ServerSentEvent[] = [];
  let characters = 0;
  /** Since the last whole event. */
  let pending = 0;
  let lineComplete = true;
  let form: ReturnType<typeof formOf>;
  const body: string[] = [];
  let state: 'reading' | 'held' | 'over' = 'reading';
  let ended = false;
  let broken: unknown;
  let lastFrames: NodeJS.Timeout | undefined;
  const parser = createParser({
    maxBufferSize: EVENT_MAX_CHARACTERS,
    onEvent: (event) => {
      pending = 0;
      waiting.push(event);
    },
    onError: (error) => {
      if (error.type === 'max-buffer-size-exceeded') fail(new ModelFault('protocol', { cause: error }));
    },
  });
  // Kept after the end too: it also keeps late errors of a destroyed stream from going unhandled.
  finished(stream, { writable: false }, onFinished);
  if (signal.aborted) onAbort();
  else {
    signal.addEventListener('abort', onAbort, { once: true });
    stream.setEncoding('utf8').on('data', onData);
  }
  return promise;

  function onData(text: string): void {
    characters += text.length;
    if (characters > STREAM_MAX_CHARACTERS) fail(new ModelFault('output_too_long'));
    lineComplete = text.endsWith('\n') || text.endsWith('\r');
    pending += text.length;
    form ??= formOf(text);
    if (form === 'page') fail(new ModelFault('wrong_address'));
    else if (form === 'body') gather(text);
    else parser.feed(text);
    if (pending > 0) onPending?.(pending);
    handleWaiting();
  }

  function gather(text: string): void {
    body.push(text);
    if (pending > EVENT_MAX_CHARACTERS) fail(new ModelFault('protocol'));
  }

  function onFinished(error: unknown): void {
    if (state === 'over') return;
    ended = true;
    broken = error;
    if (form === 'body') waiting.push({ data: body.join(''), isBody: true });
    // Some servers leave out the blank line after their last event; half a line, though, is a cut-off one.
    else if (lineComplete) parser.feed('\n\n');
    handleWaiting();
  }

  function onAbort(): void {
    fail(new ModelFault('aborted', { cause: signal.reason }));
  }

  function handleWaiting(): void {
    while (state === 'reading') {
      const event = waiting.shift();
      if (!event) break;
      handle(event);
    }
    if (state !== 'reading') return;
    if (ended) finish();
    else if (hasEnded()) awaitLastFrames();
  }

  function finish(): void {
    if (broken && !hasEnded()) fail(new ModelFault('network', { cause: broken }));
    else succeed();
  }

  function awaitLastFrames(): void {
    clearTimeout(lastFrames);
    lastFrames = setTimeout(readAway, LAST_FRAMES_MS).unref();
  }

  function handle(event: ServerSentEvent): void {
    try {
      const outcome = onEvent(event);
      if (outcome === 'stop') readAway();
      else if (outcome) hold(outcome);
    } catch (error) {
      fail(error);
    }
  }

  function hold(handled: Promise<void>): void {
    state = 'held';
    clearTimeout(lastFrames);
    stream.pause();
    handled.then(() => {
      if (state === 'over') return;
      state = 'reading';
      handleWaiting();
      if (state === 'reading') stream.resume();
    }, fail);
  }

  /** Takes no more events, but reads to the end, so that the connection can be used again. */
  function readAway(): void {
    succeed();
    const linger = setTimeout(() => stream.destroy(), LINGER_MS).unref();
    stream.once('close', () => clearTimeout(linger));
    stream.resume();
  }

  function succeed(): void {
    release();
    resolve();
  }

  function fail(error: unknown): void {
    if (state === 'over') return;
    release();
    stream.destroy();
    reject(error);
  }

  function release(): void {
    state = 'over';
    clearTimeout(lastFrames);
    stream.off('data', onData);
    signal.removeEventListener('abort', onAbort);
  }
}

/** Form of a stream by its first character; undefined while there is none. */
function formOf(text: string): 'events' | 'body' | 'page' | undefined {
  const [first] = text.trimStart();
  if (first === undefined) return undefined;
  if (first === '<') return 'page';
  return first === '{' || first === '[' ? 'body' : 'events';
}
