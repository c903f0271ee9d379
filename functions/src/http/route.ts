import type { IncomingHttpHeaders } from 'node:http';
import type { Caller } from '../access/guard';
import type { EndpointName } from '../access/key-store';
import type { RequestTrace } from '../telemetry/request-trace';
import type { Reply } from './reply';

/** A request as an endpoint sees it: authenticated, with nothing of HTTP but what it needs. */
export interface ApiRequest {
  /** 128-bit random; the ledger id, and `x-request-id` in the reply. */
  readonly id: string;
  readonly startedAtMs: number;
  readonly caller: Caller;
  readonly endpoint: EndpointName;
  readonly query: URLSearchParams;
  /** Value of `{id}` in the route's path, decoded and unchecked; absent where the path has none. */
  readonly resourceId?: string | undefined;
  readonly idempotencyKey?: string | undefined;
  /** The header `Last-Event-ID`, unchecked: the last event that a client has of a stream it comes back to. */
  readonly lastEventId?: string | undefined;
  /** All headers, unchecked, for protocols that have some of their own. */
  readonly headers?: RequestHeaders;
  /** Reads and parses the body, once; a refusal when there is anything wrong with it. */
  readJson(): Promise<unknown>;
  readonly clientGone: AbortSignal;
  readonly trace: Omit<RequestTrace, 'requestEnded'>;
}

export interface Route {
  readonly method: 'GET' | 'POST';
  /** May hold one `{id}`: a segment, or at the end all that is left, slashes included. */
  readonly path: string;
  readonly endpoint: EndpointName;
  /** True if its requests take a rate slot. */
  readonly limited: boolean;
  handle(request: ApiRequest): Promise<Reply>;
  /** Answers a request with an `Idempotency-Key`; absent: the header is not looked at. */
  repeat?(request: ApiRequest): Promise<Reply>;
}

/** A request of a user who is signed in at the dashboard. */
export interface AccountRequest extends Omit<ApiRequest, 'caller' | 'endpoint' | 'idempotencyKey'> {
  readonly userId: string;
  /** The network it came from, such as `203.0.113.0/24`. */
  readonly network: string;
}

/** A route of the dashboard: it knows a user, and no key. */
export interface AccountRoute {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** May hold one `{id}`: a segment, or at the end all that is left, slashes included. */
  readonly path: `/dashboard/${string}`;
  /** Set: only for who has signed in within the last minutes. */
  readonly recent?: true;
  handle(request: AccountRequest): Promise<Reply>;
}

export type RequestHeaders = IncomingHttpHeaders;

/** A path that anybody may read: `GET`, and `HEAD` for its status alone. */
export interface OpenRoute {
  /** May hold one `{id}`: a segment. */
  readonly path: string;
  /** `network`: where the request came from. */
  handle(query: URLSearchParams, headers: RequestHeaders, path: string, network?: string): Promise<Reply>;
}
