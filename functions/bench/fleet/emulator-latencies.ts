import { openFirestoreStore } from '../../src/store/firestore/firestore-store';

const WARM = 50;
const COUNTED = 300;
const QUANTILES = 20;

/** Prints what look-ups and admissions of as many users take beside the emulator that is set, in ms, as quantiles in JSON. */
async function measure(): Promise<void> {
  const store = openFirestoreStore({ projectId: `demo-fleet-${Date.now()}`, limiterTime: 'server' });
  const readMs: number[] = [];
  const commitMs: number[] = [];
  try {
    for (let number = 0; number < WARM + COUNTED; number += 1) {
      const startedMs = performance.now();
      // A multi-get of one document that is missing.
      await store.readAccess([`hash-${number}`]);
      const readDoneMs = performance.now();
      await store.findRecord(`r${number}`);
      const foundMs = performance.now();
      await store.admit({ name: 'api', max: 30, windowMs: 60_000 }, [reservationOf(number)], Date.now());
      // An admission reads the log first, where no look-up has: what it takes besides is the commit.
      const admittedMs = performance.now() - foundMs;
      if (number < WARM) continue;
      readMs.push(readDoneMs - startedMs);
      commitMs.push(Math.max(0.1, admittedMs - (foundMs - readDoneMs)));
    }
  } finally {
    await store.close();
  }
  console.log(JSON.stringify({ readMs: quantilesOf(readMs), commitMs: quantilesOf(commitMs) }));
}

/** Values that share the list among them: enough to draw from. */
function quantilesOf(list: readonly number[]): number[] {
  const sorted = list.toSorted((a, b) => a - b);
  const at = (index: number): number => sorted[Math.floor(((index + 0.5) * sorted.length) / QUANTILES)] ?? 0;
  return Array.from({ length: QUANTILES }, (_, index) => Math.round(at(index) * 100) / 100);
}

function reservationOf(number: number) {
  const startedAtMs = Date.now();
  return {
    ...{ requestId: `r${number}`, userId: `user-${number}`, keyId: 'key', keyName: 'laptop', month: '2026-01' },
    ...{ endpoint: 'chat/completions', startedAtMs, leaseUntilMs: startedAtMs + 660_000, calls: [] },
  };
}

void measure();
