import type * as z from 'zod';
import type { EndpointName } from '../../access/key-store';
import { isRefusal } from '../../errors';
import type { Reply } from '../../http/reply';
import type { AccountRequest, AccountRoute, ApiRequest, Route } from '../../http/route';
import type { Sent } from '../../lib/reply-schemas';
import type { DashboardDeps, EndpointDeps } from '../deps';
import { refusalOf } from './schemas';

const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const;
type Method = (typeof METHODS)[number];

type Examples = Readonly<Record<string, { readonly summary: string; readonly value: object }>>;

/** Fields of an operation that the document tells of. Its method holds its path, as in `post: '/dashboard/keys'`. */
export interface Described extends Partial<Readonly<Record<Method, string>>> {
  readonly id: string;
  readonly tag: string;
  /** Callers with a key, users who are signed in, or anybody. */
  readonly access: 'key' | 'sign-in' | 'open';
  readonly summary: string;
  readonly description?: string;
  readonly body?: z.ZodType;
  /** Bodies by name, or the one body, that anybody may send as they are to a server with the demo models. */
  readonly examples?: Examples;
  readonly example?: object;
  /** Description of `{id}` in the path. */
  readonly resource?: string;
  readonly query?: Readonly<Record<string, z.ZodType>>;
  readonly headers?: Readonly<Record<string, z.ZodType>>;
  readonly reply: z.ZodType;
  /** Set where the reply may come as chunks of server-sent events as well, or always comes as events. */
  readonly streams?: 'on demand' | 'always';
  /** Set where a request takes a rate slot. */
  readonly limited?: boolean;
  /** Statuses beside those that follow from the rest. */
  readonly failures?: readonly number[];
}

/** Fields of a validated body, and the body as it was sent. */
type Fields<B extends z.ZodType> = z.output<B> & { readonly sent: object };

type Said<B, R> = Omit<Described, 'tag' | 'access' | 'body' | 'reply'> & {
  readonly body?: B;
  /** Sentence for a field that breaks a rule; default: `Invalid field: rule`. */
  readonly flaw?: (field: string, rule: string) => string;
  readonly reply: R;
};

/** Operation for users who are signed in at the dashboard. */
export interface AccountOperation extends Described {
  route(deps: DashboardDeps): AccountRoute;
}

/** Operation for callers with a key. */
export interface KeyOperation extends Described {
  route(deps: EndpointDeps): Route;
}

const RECENT = 'The sign-in must be at most five minutes old, else 403 with the type `recent_login_required`.';

/** Declares an operation of the dashboard. `recent`: only for who has signed in within the last minutes. */
export function accountRoute<B extends z.ZodType, R extends z.ZodType>({
  recent,
  run,
  ...said
}: Said<B, R> & {
  readonly recent?: true;
  run(deps: DashboardDeps, request: AccountRequest, fields: Fields<B>): Promise<Reply<Sent<R>>>;
}): AccountOperation {
  const [method, path] = placeOf(said) as [AccountRoute['method'], AccountRoute['path']];
  return {
    tag: 'Dashboard',
    access: 'sign-in',
    ...(recent && { description: RECENT }),
    ...said,
    route: (deps) => ({
      method,
      path,
      ...(recent && { recent }),
      handle: withFields(said, (request: AccountRequest, fields) => run(deps, request, fields)),
    }),
  };
}

/** Declares an operation of `/v1`. */
export function keyRoute<B extends z.ZodType, R extends z.ZodType>({
  endpoint,
  limited = false,
  run,
  ...said
}: Said<B, R> & {
  readonly tag: string;
  readonly endpoint: EndpointName;
  run(deps: EndpointDeps, request: ApiRequest, fields: Fields<B>): Promise<Reply<Sent<R>>>;
}): KeyOperation {
  const [method, path] = placeOf(said) as [Route['method'], string];
  return {
    ...said,
    access: 'key',
    limited,
    route: (deps) => ({
      method,
      path,
      endpoint,
      limited,
      handle: withFields(said, (request: ApiRequest, fields) => run(deps, request, fields)),
    }),
  };
}

/** Upper-case method and path of an operation. */
export function placeOf(place: Pick<Described, Method>): [method: string, path: string] {
  const [method, path] = METHODS.flatMap((name) =>
    place[name] === undefined ? [] : [name.toUpperCase(), place[name]],
  );
  return [method as string, path as string];
}

function withFields<B extends z.ZodType, Request extends Pick<ApiRequest, 'readJson'>>(
  { body, flaw }: Pick<Said<B, z.ZodType>, 'body' | 'flaw'>,
  run: (request: Request, fields: Fields<B>) => Promise<Reply<unknown>>,
): (request: Request) => Promise<Reply> {
  return async (request) => {
    if (!body) return (await run(request, {} as Fields<B>)) as Reply;
    const sent = await request.readJson();
    if (isRefusal(sent)) return sent;
    const { success, data, error } = body.safeParse(sent);
    if (!success) return refusalOf(error, flaw);
    return (await run(request, { ...(data as object & z.output<B>), sent: sent as object })) as Reply;
  };
}
