import type { ServerResponse } from 'node:http';
import type { StreamReply } from '../endpoints/endpoint';
import type { Audience, EnsembleEvent } from '../ensemble/events';
import type { Clock } from '../lib/clock';
import { type ChunkBuilder, chunkBuilder, type FinalParts } from './chunks';

/** The last status is repeated after this much silence: clients and proxies drop a quiet connection. */
const HEARTBEAT_MS = 10_000;

const HEADERS = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-cache, no-transform',
  'x-accel-buffering': 'no',
  'x-content-type-options': 'nosniff',
};

/**
 * Plays a run to the client as server-sent events, in the spec's order: opening chunk, progress and deltas,
 * candidates, usage, [books settled], final chunk, `[DONE]`. A failure becomes a StreamError and no `[DONE]`;
 * a stream never just ends. Returns the fault, if the run had one.
 */
export async function sendStream(res: ServerResponse, reply: StreamReply, clock: Clock): Promise<Error | undefined> {
  const chunks = chunkBuilder(reply.meta);
  const writer = new EventWriter(res, clock);
  const parts: FinalParts = { degraded: [] };
  res.writeHead(200, { ...reply.headers, ...HEADERS });
  writer.write(chunks.opening());
  const outcome = await reply.play(audienceOf(writer, chunks, parts));
  if (!outcome.ok) {
    await reply.settle();
    writer.write({ error: outcome.fault.publicText });
    writer.end();
    return outcome.fault;
  }
  const totals = reply.totals();
  if (totals.promptTokens + totals.completionTokens > 0) writer.write(chunks.usage(totals));
  await reply.settle();
  writer.write(chunks.final(parts));
  writer.writeRaw('data: [DONE]\n\n');
  writer.end();
  return undefined;
}

function audienceOf(writer: EventWriter, chunks: ChunkBuilder, parts: FinalParts): Audience {
  return {
    live: true,
    backPressure: () => writer.backPressure(),
    emit: (event: EnsembleEvent) => {
      switch (event.type) {
        case 'delta':
          writer.write(chunks.delta(event.text));
          return;
        case 'status':
          writer.repeatWhenSilent(chunks.status(event.text));
          return;
        case 'candidates':
          writer.write(chunks.candidates(event.list));
          return;
        case 'explanation':
          parts.explanation = event.text;
          return;
        case 'followUps':
          parts.followUpPrompts = event.prompts;
          return;
        case 'degraded':
          parts.degraded.push(event.text);
          return;
      }
    },
  };
}

/** Writes events to one response; after the client has left every call is a no-op. */
class EventWriter {
  readonly #res: ServerResponse;
  readonly #clock: Clock;
  #lastWriteMs: number;
  #heartbeat: object | undefined;
  #cancelTimer: () => void = () => undefined;
  #drained: Promise<void> | undefined;

  constructor(res: ServerResponse, clock: Clock) {
    this.#res = res;
    this.#clock = clock;
    this.#lastWriteMs = clock.nowMs();
    this.#schedule(HEARTBEAT_MS);
  }

  write(event: object): void {
    this.writeRaw(`data: ${JSON.stringify(event)}\n\n`);
  }

  writeRaw(text: string): void {
    if (this.#res.destroyed || this.#res.writableEnded) return;
    this.#lastWriteMs = this.#clock.nowMs();
    this.#res.write(text);
  }

  /** Writes a progress chunk now and again after every silence, until the next one. */
  repeatWhenSilent(event: object): void {
    this.#heartbeat = event;
    this.write(event);
  }

  /** Resolves when the socket has taken what was written, or is gone. */
  backPressure(): Promise<void> | undefined {
    if (!this.#res.writableNeedDrain || this.#res.destroyed) return undefined;
    this.#drained ??= new Promise((resolve) => {
      const done = (): void => {
        this.#res.off('drain', done).off('close', done);
        this.#drained = undefined;
        resolve();
      };
      this.#res.on('drain', done).on('close', done);
    });
    return this.#drained;
  }

  end(): void {
    this.#cancelTimer();
    if (!this.#res.destroyed) this.#res.end();
  }

  #schedule(delayMs: number): void {
    this.#cancelTimer = this.#clock.after(delayMs, () => {
      const silentMs = this.#clock.nowMs() - this.#lastWriteMs;
      if (silentMs < HEARTBEAT_MS) return this.#schedule(HEARTBEAT_MS - silentMs);
      if (this.#heartbeat) this.write(this.#heartbeat);
      return this.#schedule(HEARTBEAT_MS);
    });
  }
}
