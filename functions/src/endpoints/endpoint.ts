import type { Audience } from '../ensemble/events';
import type { RunOutcome } from '../ensemble/run-ensemble';
import type { Refusal } from '../errors';
import type { Caller } from '../guard/guard';
import type { RequestTrace } from '../lib/request-trace';
import type { SpendTotals } from '../usage/books';

/** A request as an endpoint sees it: authenticated, with nothing of HTTP but what it needs. */
export interface ApiRequest {
  /** 128-bit random; the ledger id, and `x-request-id` in the reply. */
  readonly id: string;
  readonly startedAtMs: number;
  readonly caller: Caller;
  readonly query: URLSearchParams;
  /** Reads and parses the body, once. */
  readJson(): Promise<unknown>;
  /** Aborted when the client has left. */
  readonly clientGone: AbortSignal;
  /** Where its model calls are told. */
  readonly trace: Pick<RequestTrace, 'callStarted'>;
}

/** A finished answer. */
export interface JsonReply {
  readonly kind: 'json';
  readonly status: number;
  readonly body: object;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A run that is yet to be played to a reader, chunk by chunk; the wire order is `http/sse`'s business. */
export interface StreamReply {
  readonly kind: 'stream';
  /** `id`, `created` (Unix seconds) and `model` of every chunk. */
  readonly meta: ChunkMeta;
  readonly headers: Readonly<Record<string, string>>;
  play(audience: Audience): Promise<RunOutcome>;
  totals(): SpendTotals;
  /** Closes the books; never rejects. */
  settle(): Promise<void>;
}

export interface ChunkMeta {
  readonly id: string;
  readonly created: number;
  readonly model: string;
}

export type Reply = JsonReply | StreamReply | Refusal;

/** One row of the route table. */
export interface Route {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  /** Whether its requests take a rate slot. */
  readonly limited: boolean;
  handle(request: ApiRequest): Promise<Reply>;
}

/** A 200 with a JSON body. */
export function json(body: object, headers?: Readonly<Record<string, string>>): JsonReply {
  return { kind: 'json', status: 200, body, ...(headers && { headers }) };
}
