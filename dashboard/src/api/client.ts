import createClient, { type Client } from 'openapi-fetch';
import type { Session } from '../session/session';
import { ApiError, errorOf } from './api-error';
import type { components, paths } from './schema';
import { isStreamed } from './streamed';

/** The API of the dashboard; paths, bodies and replies have the types of its OpenAPI document. */
export type Api = Client<paths>;

/** A schema of the API, by its name in the OpenAPI document. */
export type Schema<Name extends keyof components['schemas']> = components['schemas'][Name];

/** The client of a session: its requests prove who is signed in, and those for streams go where streams are sent. */
export function createApi(session: Session): Api {
  return createClient<paths>({
    baseUrl: location.origin,
    fetch: async (request) => send(session, isStreamed(request) ? await forStream(session, request) : request),
  });
}

/** The same request to the server that streams come from. */
async function forStream(session: Session, request: Request): Promise<Request> {
  const server = await session.streamServer();
  const { pathname, search, origin } = new URL(request.url);
  if (server === origin) return request;
  const { method, headers, signal } = request;
  // A body that is itself a stream would need a connection of another kind.
  const body = method === 'GET' ? null : await request.text();
  return new Request(`${server}${pathname}${search}`, { method, headers, signal, body });
}

/** The proofs that the server wants besides a sign-in, by the type of its refusal, and how a session gets each. */
const WANTED: Readonly<Record<string, (session: Session) => Promise<boolean>>> = {
  recent_login_required: (session) => session.signInAgain(),
  app_check_required: (session) => session.renewApp(),
};

/** Sends a request. Where more proof is wanted than the session had, it gets that and sends the same request once more. */
async function send(session: Session, request: Request): Promise<Response> {
  const again = request.clone();
  const response = await sendProvedTwice(session, request);
  if (response.status !== 403) return response;
  const { type } = errorOf(response, await bodyOf(response.clone()));
  const isProved = await WANTED[type]?.(session);
  return isProved ? sendProved(session, again) : response;
}

/** Sends a request. Where the server takes the proof for nobody's, it gets a new one; the second answer is final. */
async function sendProvedTwice(session: Session, request: Request): Promise<Response> {
  const again = request.clone();
  const first = await sendProved(session, request);
  if (first.status !== 401 || !(await session.refused('first'))) return first;
  const second = await sendProved(session, again);
  if (second.status === 401) await session.refused('again');
  return second;
}

async function sendProved(session: Session, request: Request): Promise<Response> {
  for (const [name, value] of Object.entries(await session.proof())) request.headers.set(name, value);
  try {
    return await fetch(request);
  } catch (error) {
    if (request.signal.aborted) throw error;
    throw new ApiError('The server cannot be reached. Check the connection, then try again.', {
      status: 0,
      type: 'unreachable',
    });
  }
}

async function bodyOf(response: Response): Promise<unknown> {
  try {
    return await response.json();
  } catch {
    return undefined;
  }
}

/** The bytes of a streamed reply; throws an `ApiError` where it is none. */
export async function streamOrThrow(
  reply: Promise<{ data?: unknown; error?: unknown; response: Response }>,
): Promise<{ readonly stream: ReadableStream<Uint8Array>; readonly response: Response }> {
  const { data, error, response } = await reply;
  if (!response.ok || !(data instanceof ReadableStream)) throw errorOf(response, error);
  return { stream: data, response };
}

/** The body of a reply; throws an `ApiError` where it is none. */
export async function bodyOrThrow<Body>(
  reply: Promise<{ data?: Body; error?: unknown; response: Response }>,
): Promise<Body> {
  const { data, error, response } = await reply;
  if (!response.ok || data === undefined) throw errorOf(response, error);
  return data;
}
