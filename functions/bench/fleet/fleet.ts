import { createLimiter, type Limiter } from '../../src/access/limiter';
import { firestoreAccess } from '../../src/store/firestore/access';
import { firestoreAdmission } from '../../src/store/firestore/admission';
import { createClient } from '../../src/store/firestore/client';
import { Memory } from '../../src/store/firestore/memory';
import { firestoreSettlement } from '../../src/store/firestore/settlement';
import { VirtualFirestore } from './virtual-firestore';
import { type Random, randomOf, VirtualTime } from './virtual-time';

/** A fleet, what it is asked, and what its database takes. */
export interface FleetPlan {
  readonly seed: number;
  readonly instances: number;
  readonly users: number;
  /** They come at random moments, each to a random instance; or all at once. */
  readonly requestsPerSecond: number | 'at once';
  readonly requests: number;
  readonly requestsAMinuteMax: number;
  /** Whether every instance has met every user before, as after hours of the same traffic. */
  readonly areMet?: boolean;
  /** What the database was measured to take, without the network: draws are made from these. */
  readonly readMs: readonly number[];
  readonly commitMs: readonly number[];
}

/** What became of them. Times are from the arrival of a request to the decision on it, its look-up included. */
export interface FleetFigures {
  readonly admitted: number;
  readonly denied: number;
  /** A 500 for the caller: not decided within the 5 s that an operation has. */
  readonly failed: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly mostMs: number;
  /** Commits that what they depend on had changed under, for each request that was let in; settlements included. */
  readonly refusedCommits: number;
  /** The share of requests whose user the instance had not met: a round trip more. */
  readonly unmet: number;
}

const NETWORK_MS = [5, 40] as const;
/** How much the way of one call may be longer than that of its instance. */
const JITTER = 0.2;
const RUN_MS = 2_000;

interface Instance {
  readonly limiter: Limiter;
  readonly readAccess: ReturnType<typeof firestoreAccess>['readAccess'];
  readonly settle: ReturnType<typeof firestoreSettlement>['settle'];
  readonly hasMet: (user: number) => boolean;
}

/**
 * Plays a fleet with the service's own code for access, limiter, admission and settlement, over a database and a time of
 * our own. Each instance is 5 to 40 ms (there and back) away from the database; a run takes two seconds.
 */
export async function playFleet(plan: FleetPlan): Promise<FleetFigures> {
  const random = randomOf(plan.seed);
  const time = new VirtualTime();
  const firestore = new VirtualFirestore(time);
  for (let user = 0; user < plan.users; user += 1) seedUser(firestore, user);
  const instances = Array.from({ length: plan.instances }, () => startInstance(plan, { random, time, firestore }));
  const tookMs: number[] = [];
  const count = { admitted: 0, denied: 0, failed: 0, unmet: 0 };
  const ask = async (number: number): Promise<void> => {
    const instance = instances[Math.floor(random() * instances.length)];
    const user = Math.floor(random() * plan.users);
    if (!instance) return;
    if (!instance.hasMet(user)) count.unmet += 1;
    const startedMs = time.nowMs;
    const outcome = await admitted(instance, { user, requestId: `r${number}`, nowMs: Math.floor(time.nowMs) });
    tookMs.push(time.nowMs - startedMs);
    count[outcome] += 1;
    if (outcome !== 'admitted') return;
    await time.sleep(RUN_MS);
    const requestId = `r${number}`;
    await instance.settle({ requestId, state: 'settled', calls: [], settledAtMs: Math.floor(time.nowMs) });
  };
  let atMs = 0;
  for (let number = 0; number < plan.requests; number += 1) {
    if (plan.requestsPerSecond !== 'at once') atMs += (-Math.log(1 - random()) * 1_000) / plan.requestsPerSecond;
    time.after(atMs, () => void ask(number));
  }
  await time.play();
  const sorted = tookMs.toSorted((a, b) => a - b);
  const share = (of: number): number => sorted[Math.max(0, Math.ceil(sorted.length * of) - 1)] ?? Number.NaN;
  return {
    ...count,
    p50Ms: share(0.5),
    p99Ms: share(0.99),
    mostMs: share(1),
    refusedCommits: firestore.refused / Math.max(1, count.admitted),
    unmet: count.unmet / plan.requests,
  };
}

type World = { readonly random: Random; readonly time: VirtualTime; readonly firestore: VirtualFirestore };

function startInstance(plan: FleetPlan, { random, time, firestore }: World): Instance {
  const [least, most] = NETWORK_MS;
  const farMs = (least + random() * (most - least)) / 2;
  const drawn = (samples: readonly number[]): number => samples[Math.floor(random() * samples.length)] ?? 0;
  const database = firestore.connect({
    wayMs: () => farMs * (1 + random() * JITTER),
    readMs: () => drawn(plan.readMs),
    commitMs: () => drawn(plan.commitMs),
  });
  const clock = time.clock(random);
  const client = createClient('fleet', clock, () => Promise.resolve(database));
  const memory = new Memory(clock);
  const limit = { name: 'api', max: plan.requestsAMinuteMax, windowMs: 60_000 } as const;
  return {
    limiter: createLimiter(firestoreAdmission(client, memory, 'server'), limit, clock),
    readAccess: firestoreAccess(client, memory).readAccess,
    settle: firestoreSettlement(client, memory, clock).settle,
    hasMet: (user) => {
      if (plan.areMet) memory.owners.set(`hash-${user}`, `user-${user}`);
      return memory.owners.get(`hash-${user}`) !== undefined;
    },
  };
}

interface Asked {
  readonly user: number;
  readonly requestId: string;
  readonly nowMs: number;
}

async function admitted(instance: Instance, asked: Asked): Promise<'admitted' | 'denied' | 'failed'> {
  const userId = `user-${asked.user}`;
  const keyId = `key-${asked.user}`;
  try {
    // As the guard does: a caller that is known to be over the limit is not looked up.
    if (instance.limiter.blocked({ userId, keyId })) return 'denied';
    await instance.readAccess([`hash-${asked.user}`]);
    const { requestId, nowMs } = asked;
    const record = { requestId, userId, keyId, keyName: 'laptop', endpoint: 'chat/completions', month: '2026-01' };
    const times = { startedAtMs: nowMs, leaseUntilMs: nowMs + 660_000 };
    const answer = await instance.limiter.admit({ ...record, ...times, calls: [] });
    return answer.admitted ? 'admitted' : 'denied';
  } catch {
    return 'failed';
  }
}

function seedUser(firestore: VirtualFirestore, user: number): void {
  const key = { keyId: `key-${user}`, uid: `user-${user}`, pepperV: 'v1', name: 'laptop', status: 'active' };
  firestore.seed(`apiKeys/hash-${user}`, key);
  firestore.seed(`subscriptions/user-${user}`, { tier: 'pro', status: 'active' });
}
