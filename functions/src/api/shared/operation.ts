import type * as z from 'zod';
import type { EndpointName } from '../../access/key-store';
import { isRefusal } from '../../errors';
import type { Reply } from '../../http/reply';
import type { AccountRequest, AccountRoute, ApiRequest } from '../../http/route';
import type { Sent } from '../../lib/reply-schemas';
import type { DashboardDeps, EndpointDeps } from '../deps';
import { refusalOf } from './schemas';

/** Fields of an operation that the document tells of. */
export interface Described {
  /** Method and path. */
  readonly at: `${AccountRoute['method']} /${string}`;
  readonly id: string;
  readonly tag: string;
  /** Callers with a key, users who are signed in, or anybody. */
  readonly access: 'key' | 'sign-in' | 'open';
  readonly summary: string;
  readonly description?: string;
  readonly body?: z.ZodType;
  /** Bodies by name, or the one body, that anybody may send as they are to a server with the demo models. */
  readonly examples?: Readonly<Record<string, { readonly summary: string; readonly value: object }>>;
  readonly example?: object;
  /** Description of `{id}` in the path. */
  readonly resource?: string;
  readonly query?: z.ZodObject;
  readonly headers?: Readonly<Record<string, z.ZodType>>;
  readonly reply: z.ZodType;
  /** Set where the reply may come as chunks of server-sent events as well, or always comes as events. */
  readonly streams?: 'on demand' | 'always';
  /** Events of a stream on demand; absent: chunks of the contract. */
  readonly events?: readonly z.ZodType[];
  /** Set where a request takes a rate slot. */
  readonly limited?: boolean;
  /** Statuses beside those that follow from the rest. */
  readonly failures?: readonly number[];
}

type NoFields = z.ZodObject<Record<never, never>>;

/** Values of a validated query, or of a validated body with the body as it was sent. */
type Fields<B extends z.ZodType, Q extends z.ZodType> = z.output<B> & z.output<Q> & { readonly sent: object };

interface Handled<B extends z.ZodType, Q extends z.ZodObject> {
  readonly body?: B;
  readonly query?: Q;
  /** Sentence for a field that breaks a rule; default: `Invalid field: rule`. */
  readonly flaw?: (field: string, rule: string) => string;
}

type Said<B extends z.ZodType, Q extends z.ZodObject, R extends z.ZodType> = Handled<B, Q> &
  Omit<Described, 'tag' | 'access' | 'body' | 'query' | 'reply'> & { readonly reply: R };

/** Operation for users who are signed in at the dashboard. */
export interface AccountOperation extends Described, Pick<AccountRoute, 'recent'> {
  handle(deps: DashboardDeps, request: AccountRequest): Promise<Reply>;
}

/** Operation for callers with a key. */
export interface KeyOperation extends Described {
  readonly endpoint: EndpointName;
  handle(deps: EndpointDeps, request: ApiRequest): Promise<Reply>;
}

const RECENT = 'The sign-in must be at most five minutes old, else 403 with the type `recent_login_required`.';

/** Declares an operation of the dashboard. `recent`: only for who has signed in within the last minutes. */
export function accountRoute<B extends z.ZodType, R extends z.ZodType, Q extends z.ZodObject = NoFields>({
  run,
  ...said
}: Said<B, Q, R> & {
  readonly recent?: true;
  run(deps: DashboardDeps, request: AccountRequest, fields: Fields<B, Q>): Promise<Reply<Sent<R>>>;
}): AccountOperation {
  const description = said.recent && { description: RECENT };
  return { tag: 'Dashboard', access: 'sign-in', ...description, ...said, handle: withFields(said, run) };
}

/** Declares an operation of `/v1`. */
export function keyRoute<B extends z.ZodType, R extends z.ZodType, Q extends z.ZodObject = NoFields>({
  run,
  ...said
}: Said<B, Q, R> & {
  readonly tag: string;
  readonly endpoint: EndpointName;
  run(deps: EndpointDeps, request: ApiRequest, fields: Fields<B, Q>): Promise<Reply<Sent<R>>>;
}): KeyOperation {
  return { ...said, access: 'key', handle: withFields(said, run) };
}

/** Method and path of an operation. */
export function placeOf({ at }: Pick<Described, 'at'>): { method: AccountRoute['method']; path: string } {
  const [method, path] = at.split(' ') as [AccountRoute['method'], string];
  return { method, path };
}

function withFields<
  Deps,
  Request extends Pick<ApiRequest, 'readJson' | 'query'>,
  B extends z.ZodType,
  Q extends z.ZodObject,
>(
  { body, query, flaw }: Handled<B, Q>,
  run: (deps: Deps, request: Request, fields: Fields<B, Q>) => Promise<Reply<unknown>>,
) {
  return async (deps: Deps, request: Request): Promise<Reply> => {
    // Of a repeated parameter the first value counts.
    const sent = body ? await request.readJson() : Object.fromEntries([...request.query].reverse());
    if (isRefusal(sent)) return sent;
    const read = (body ?? query)?.safeParse(sent);
    if (read?.error) return refusalOf(read.error, flaw);
    return (await run(deps, request, { ...(read?.data as object), sent } as Fields<B, Q>)) as Reply;
  };
}
