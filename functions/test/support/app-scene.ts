import type { Caller, Guard } from '../../src/access/guard';
import { RequestBucket } from '../../src/access/limiter';
import { refuse } from '../../src/errors';
import { createApp } from '../../src/http/app';
import { createBodyReader } from '../../src/http/body';
import type { Reply } from '../../src/http/reply';
import type { ApiRequest, Route } from '../../src/http/route';
import { createRouteTable, type Hosting } from '../../src/http/route-table';
import { ByteBudget } from '../../src/lib/byte-budget';
import { createLog } from '../../src/lib/log';
import { OpenWork } from '../../src/lib/open-work';
import { Turns } from '../../src/lib/turns';
import { fakeClock } from './fake-clock';
import { type RawRequest, sendRaw } from './raw-http';
import { serve } from './serve';

/** The caller that the guard lets in. */
export const ADA: Caller = { userId: 'ada', keyId: 'key-1', keyName: 'laptop' };
/** The one path there is, … */
export const PATH = '/v1/things';
/** … read … */
export const GET: RawRequest = { method: 'GET', path: PATH };
/** … and posted to. */
export const POST: RawRequest = { method: 'POST', path: PATH, body: '{"n":1}' };

/** Departures from the usual scene. */
interface Scene {
  handle?: (request: ApiRequest) => Promise<Reply>;
  identify?: Guard['identify'];
  origins?: string[];
  hosting?: Hosting;
}

/** The app with one path that can be read and posted to, a guard that lets Ada in, and time that stands still. */
export async function startScene({ handle, identify, origins = ['*'], hosting }: Scene = {}) {
  const clock = fakeClock();
  const lines: Record<string, unknown>[] = [];
  const log = createLog('debug', (line) => lines.push(JSON.parse(line)));
  const openWork = new OpenWork();
  const requests: ApiRequest[] = [];
  const identified: unknown[][] = [];
  const counted: string[] = [];
  const guard: Guard = {
    identify: async (authorization, limited) => {
      identified.push([authorization, limited]);
      return identify ? identify(authorization, limited) : ADA;
    },
    count: ({ userId }) => void counted.push(userId),
    admit: () => Promise.reject(new Error('no run is admitted')),
  };
  const route = (method: Route['method'], limited: boolean): Route => ({
    method,
    path: PATH,
    endpoint: 'usage',
    limited,
    handle: async (request) => {
      requests.push(request);
      return handle ? handle(request) : { body: { ok: true } };
    },
  });
  const readBody = createBodyReader(new ByteBudget(64 * 2 ** 20), clock, new Turns(clock, () => 0));
  const routes = [route('GET', false), route('POST', true)];
  const app = createApp({
    findRoute: createRouteTable({ routes }),
    guard,
    clock,
    log,
    readBody,
    openWork,
    corsOrigins: origins,
    dashboardOrigins: [],
    hosting,
    accountGate: {
      signIn: async () => refuse('not_signed_in'),
      bucket: new RequestBucket(clock),
      clock,
      behindPlatform: false,
    },
  });
  const served = await serve(app);
  const send = async (request: RawRequest = GET) => {
    const reply = await sendRaw(served.baseUrl, request);
    return { ...reply, body: reply.text === '' ? undefined : JSON.parse(reply.text) };
  };
  return { ...served, clock, lines, openWork, requests, identified, counted, send };
}

/** The body of an error. */
export const error = (message: unknown, type = 'invalid_request_error') => ({ error: { message, type } });
