import { Firestore } from '@google-cloud/firestore';

/** One call to the server. */
export interface FirestoreCall {
  /** Name in the protocol: `commit`, `batchGetDocuments`, `runQuery`. */
  readonly method: string;
  /** Documents a `batchGetDocuments` asks for. */
  readonly documents: number;
  /** Increments and the like of a `commit`, by document. */
  readonly transforms: readonly number[];
  /** A query that asks for more than a collection in the order of its names. */
  readonly needsIndex: boolean;
}

/** Decides what becomes of a call; `send` really makes it, once each time. */
export type Intercept = (call: FirestoreCall, send: () => Promise<unknown>) => Promise<unknown>;

type Send = (method: string, ...rest: unknown[]) => Promise<unknown>;

/** The two functions of the SDK that every call goes through. */
interface Funnels {
  request: Send;
  requestStream: Send;
}

/** Puts `intercept` between the SDK and the server, for every client of this process; returns what takes it out again. */
export function interceptFirestore(intercept: Intercept): () => void {
  const funnels = Firestore.prototype as unknown as Funnels;
  const { request, requestStream } = funnels;
  funnels.request = function (this: unknown, method, body, ...rest) {
    return intercept(callOf(method, body), () => request.call(this, method, body, ...rest));
  };
  funnels.requestStream = function (this: unknown, method, bidirectional, body, ...rest) {
    return intercept(callOf(method, body), () => requestStream.call(this, method, bidirectional, body, ...rest));
  };
  return () => Object.assign(funnels, { request, requestStream });
}

/** The calls made while `work` runs: each with its method, and with the documents it reads. */
export async function callsOf(work: () => Promise<unknown>): Promise<string[]> {
  const calls: string[] = [];
  const stop = interceptFirestore((call, send) => {
    calls.push(call.documents > 0 ? `${call.method} ${call.documents}` : call.method);
    return send();
  });
  try {
    await work();
  } finally {
    stop();
  }
  return calls;
}

/** An error as the SDK throws it: with a gRPC status code. */
export function rpcError(code: number, name: string, details = 'made by the test'): Error {
  return Object.assign(new Error(`${code} ${name}: ${details}`), { code });
}

interface Query {
  readonly where?: unknown;
  readonly orderBy?: readonly { readonly field: { readonly fieldPath: string } }[] | null;
}

function callOf(method: string, body: unknown): FirestoreCall {
  const {
    documents = [],
    writes = [],
    structuredQuery,
    structuredAggregationQuery,
  } = body as {
    documents?: readonly unknown[];
    structuredQuery?: Query;
    structuredAggregationQuery?: { structuredQuery: Query };
    writes?: readonly { updateTransforms?: readonly unknown[] | null }[];
  };
  const transforms = writes.map(({ updateTransforms }) => updateTransforms?.length ?? 0);
  const { where, orderBy } = structuredQuery ?? structuredAggregationQuery?.structuredQuery ?? {};
  const needsIndex = Boolean(where) || (orderBy ?? []).some(({ field }) => field.fieldPath !== '__name__');
  return { method, documents: documents.length, transforms, needsIndex };
}
