/*
 * `Idempotency-Key`: a request repeated with the same key and body joins the one under way or gets its reply again,
 * wherever it runs (ADR 11). Wraps a route from outside: may import `http`; must not know a run or a chunk.
 */
import { createHash } from 'node:crypto';
import type { Caller, Guard } from '../access/guard';
import { isRefusal, type Refusal, refuse, refuseBusy, refuseRestarting } from '../errors';
import type { IdempotencyStore } from '../ledger/idempotency';
import { CLAIM_LEASE_MS, holdClaim, type KeptReply, openReply, type ReplySeal, replySeal } from '../ledger/idempotency';
import type { ByteBudget } from '../lib/byte-budget';
import { type Clock, sleep } from '../lib/clock';
import { FairSlots } from '../lib/fair-slots';
import type { Log } from '../lib/log';
import { unpackWithin } from '../lib/packed';
import { LiveReply } from './live-reply';
import type { JsonTextReply, Reply, StreamReply } from './reply';
import type { ApiRequest, Route } from './route';

/** Services of idempotent routes; one for a whole process, whose requests join each other through it. */
export interface IdempotencyDeps {
  readonly store: IdempotencyStore;
  /** Memory that the bodies of waiting requests are taken from. */
  readonly memory: ByteBudget;
  /** Counts requests that get another's reply: they take no rate slot. */
  readonly guard: Pick<Guard, 'count'>;
  readonly clock: Clock;
  readonly log: Log;
  readonly secret: Uint8Array;
  readonly stopping: AbortSignal;
}

const RETENTION_MS = 24 * 60 * 60_000;
/** Replies kept of one user a day by one process, compressed; one beyond that is made anew when it is repeated. */
const KEPT_BYTES_MAX = 200_000_000;
const POLL_MS = 500;
const WAITING_MAX = 20;
const WAITING_RETRY_SECONDS = 10;
const KEY = /^[\x21-\x7e]{1,255}$/;
const REPLAYED = { 'idempotent-replayed': 'true' } as const;

interface Keyed {
  readonly request: ApiRequest;
  /** Hands the body over, once: while a run is under way nothing of it is kept here. */
  readonly takeBody: () => unknown;
  readonly bodyBytes: number;
  readonly fingerprint: string;
  readonly seal: ReplySeal;
}

/** Adds to the routes of a process that run models how they answer requests with a key. */
export function idempotentRoutes(deps: IdempotencyDeps): (route: Route) => Route {
  const { store, clock } = deps;
  const running = new Map<string, { readonly fingerprint: string; readonly live: LiveReply }>();
  const waiting = new FairSlots(Number.POSITIVE_INFINITY, { ownMax: WAITING_MAX });
  const mayKeep = dailyBytes(clock);

  return (route) => ({ ...route, repeat: (request) => repeat(route, request) });

  async function repeat(route: Route, request: ApiRequest): Promise<Reply> {
    const { idempotencyKey = '', caller } = request;
    // Who is over the limit can only be refused, and was not looked up.
    if (caller.denial) return route.handle(request);
    if (!KEY.test(idempotencyKey)) {
      return refuse('invalid_request', 'Invalid Idempotency-Key: must be 1 to 255 visible ASCII characters');
    }
    const kept = await keptBody(route, request);
    if (isRefusal(kept)) return kept;
    const keyed = { request, ...kept, seal: replySeal(deps.secret, caller.keyId, idempotencyKey) };
    return (await ownReply(route, keyed)) ?? waitForReply(route, keyed);
  }

  /** The reply, where nobody else makes it; undefined while another request does. */
  async function ownReply(route: Route, keyed: Keyed): Promise<Reply | undefined> {
    const { request, fingerprint, seal } = keyed;
    const known = running.get(seal.id);
    if (known) return known.fingerprint === fingerprint ? undefined : conflict();
    const nowMs = clock.nowMs();
    const claim = { id: seal.id, fingerprint, requestId: request.id };
    const lifetime = { leaseUntilMs: nowMs + CLAIM_LEASE_MS, expiresAtMs: nowMs + RETENTION_MS };
    const outcome = await store.claimKey({ ...claim, ...lifetime }, nowMs);
    if (outcome.granted) return makeReply(route, keyed);
    if (outcome.fingerprint !== fingerprint) return conflict();
    if (!outcome.reply) return undefined;
    deps.guard.count(request.caller);
    return replay(request.caller, openReply(outcome.reply, seal));
  }

  /** A kept reply, once there is memory for it. */
  async function replay({ userId }: Caller, packed: Uint8Array): Promise<Reply> {
    const memory = deps.memory.shareOf(userId);
    const [reply] = (await unpackWithin(memory, [{ bytes: packed }])) ?? [];
    return reply ? replyOf(JSON.parse(reply.text), memory.release) : refuseBusy();
  }

  async function waitForReply(route: Route, keyed: Keyed): Promise<Reply> {
    const { caller } = keyed.request;
    const { userId } = caller;
    deps.guard.count(caller);
    const leave = waiting.tryTake(userId);
    if (!leave) {
      const text = `Too many repeated requests wait for their replies: at most ${WAITING_MAX} at a time`;
      return refuse('rate_limited', text, { 'retry-after': String(WAITING_RETRY_SECONDS) });
    }
    const memory = deps.memory.shareOf(userId);
    const making = memory.hold(keyed.bodyBytes) ? replyOfOther(route, keyed) : Promise.resolve(refuseBusy());
    return whenSent(making, () => {
      memory.release();
      leave();
    });
  }

  /** The reply that another request makes, in this process or in another; its own when that one fails to. */
  async function replyOfOther(route: Route, keyed: Keyed): Promise<Reply> {
    const { request, seal } = keyed;
    for (;;) {
      const known = running.get(seal.id);
      if (known) return known.live.join(REPLAYED);
      await sleep(clock, POLL_MS, request.clientGone);
      // Nobody is there to be answered; what is returned is not sent.
      if (request.clientGone.aborted) return refuse('internal');
      if (deps.stopping.aborted) return refuseRestarting();
      const reply = await ownReply(route, keyed);
      if (reply) return reply;
    }
  }

  /** Makes the reply under a claim. The run goes on when its client leaves: the client may come back for it. */
  async function makeReply(route: Route, { request, takeBody, fingerprint, seal }: Keyed): Promise<Reply> {
    const live = new LiveReply();
    running.set(seal.id, { fingerprint, live });
    const { userId } = request.caller;
    const holder = { id: seal.id, requestId: request.id, mayKeep: (bytes: number) => mayKeep(userId, bytes) };
    const endClaim = holdClaim(deps, holder, seal);
    const end = async (kept?: KeptReply): Promise<void> => {
      await endClaim(kept);
      running.delete(seal.id);
    };
    try {
      const stays = new AbortController().signal;
      const reply = await route.handle({ ...request, readJson: async () => takeBody(), clientGone: stays });
      const shared = 'play' in reply ? withLive(reply, live, end) : reply;
      if (shared === reply) await end('body' in reply ? { body: reply.body } : undefined);
      live.settle(shared);
      return shared;
    } catch (error) {
      await end();
      live.settle(Promise.reject(error));
      throw error;
    }
  }
}

/** Part of a keyed request's body that is kept until its reply is made. */
async function keptBody(
  { path }: Route,
  request: ApiRequest,
): Promise<Pick<Keyed, 'takeBody' | 'bodyBytes' | 'fingerprint'> | Refusal> {
  let kept = await request.readJson();
  if (isRefusal(kept)) return kept;
  const text = JSON.stringify(kept);
  const fingerprint = createHash('sha256').update(`${path}\n${text}`).digest('hex');
  const takeBody = (): unknown => {
    const taken = kept;
    kept = undefined;
    return taken;
  };
  return { takeBody, bodyBytes: text.length, fingerprint };
}

/** Takes bytes of a user's; false, and none are taken, where its UTC day has not so many left. @internal */
export function dailyBytes(clock: Clock): (userId: string, bytes: number) => boolean {
  const taken = new Map<string, number>();
  let today = 0;
  return (userId, bytes) => {
    const day = Math.floor(clock.nowMs() / RETENTION_MS);
    if (day !== today) taken.clear();
    today = day;
    const sum = (taken.get(userId) ?? 0) + bytes;
    if (sum <= KEPT_BYTES_MAX) taken.set(userId, sum);
    return sum <= KEPT_BYTES_MAX;
  };
}

/** SDKs take a 409 for a passing one. */
function conflict(): Refusal {
  return refuse('idempotency_conflict', undefined, { 'x-should-retry': 'false' });
}

/** The same reply; `then` is called once there is nothing more to be done for it, however it ends. */
async function whenSent(making: Promise<Reply>, then: () => void): Promise<Reply> {
  let streams = false;
  try {
    const reply = await making;
    if (!('play' in reply)) return reply;
    streams = true;
    return { ...reply, play: (events) => reply.play(events).finally(then) };
  } finally {
    if (!streams) then();
  }
}

/** A stream written through the live reply, which ends when it is kept. */
function withLive(reply: StreamReply, live: LiveReply, end: (kept?: KeptReply) => Promise<void>): StreamReply {
  return {
    ...reply,
    play: async (events) => {
      live.follow(events);
      await reply.play(live);
      await end(live.complete ? { events: live.events, ...(reply.named && { named: reply.named }) } : undefined);
      live.end();
    },
  };
}

function replyOf(kept: KeptReply, release: () => void): JsonTextReply | StreamReply {
  if ('body' in kept) return { json: JSON.stringify(kept.body), headers: REPLAYED, release };
  return {
    headers: REPLAYED,
    ...(kept.named && { named: kept.named }),
    play: async (events) => {
      for (const event of kept.events) {
        events.write(event);
        await events.backPressure();
      }
      release();
    },
  };
}
