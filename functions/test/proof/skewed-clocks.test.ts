import { setTimeout as pause } from 'node:timers/promises';
import type { Firestore } from 'firebase-admin/firestore';
import { describeWithFirestore } from '../support/firestore-emulator';
import { rawFirestore } from '../support/raw-firestore';
import { seededRandom, withSeed } from '../support/seeded-random';
import { until } from '../support/until';
import { workerPool } from '../support/worker-pool';
import type { WorkerProcess } from '../support/worker-process';

const SKEWS_MS = [-2_000, -1_200, -400, 400, 1_200, 2_000];
/** Instead of a minute: real time has to pass here, and a skew larger than the window is the harder case. */
const WINDOW_MS = 1_500;
const MAX = 30;
const ARRIVALS_MS = 9_000;

describeWithFirestore('six processes whose clocks differ by up to four seconds', (emulator) => {
  const pool = workerPool('limiter-worker.ts');
  let raw: Firestore;
  let processes: WorkerProcess[];
  beforeEach(async () => {
    const projectId = emulator.newProject();
    raw = rawFirestore(projectId);
    processes = SKEWS_MS.map((skewMs) => pool.start(projectId, String(skewMs), String(WINDOW_MS)));
    await Promise.all(processes.map((process) => process.printed(1)));
  });
  afterEach(() => raw.terminate());

  const ask = async (process: WorkerProcess | undefined, userId: string, requestId: string): Promise<string> => {
    process?.send(`${userId} ${requestId}`);
    let answer: string | undefined;
    await until(() => {
      answer = process?.lines.find((line) => line.startsWith(`${requestId} `));
      return answer !== undefined;
    });
    return answer ?? '';
  };
  /** When each admission was committed, by the database's clock, in microseconds. */
  const admissionTimes = async (userId: string): Promise<number[]> => {
    const { docs } = await raw.collection('usageLedger').where('uid', '==', userId).get();
    const times = docs.map(({ createTime: { seconds, nanoseconds } }) => seconds * 1e6 + nanoseconds / 1e3);
    return times.sort((a, b) => a - b);
  };

  it('never let in more than 30 in any window of real time, and come close to 30 in each', async () => {
    const random = seededRandom();
    await withSeed(random, async () => {
      const endMs = Date.now() + ARRIVALS_MS;
      let asked = 0;
      while (Date.now() < endMs) {
        // Now single requests, now a burst larger than the limit.
        const burst = random.below(8) === 0 ? 60 : 1 + random.below(4);
        for (let index = 0; index < burst; index += 1) {
          asked += 1;
          processes[random.below(processes.length)]?.send(`ada r${asked}`);
        }
        await pause(random.below(60));
      }
      await until(() => processes.flatMap(({ lines }) => lines).length === asked + processes.length);
      const times = await admissionTimes('ada');
      const spans = times.slice(MAX).map((time, index) => time - (times[index] ?? 0));
      expect(Math.min(...spans)).toBeGreaterThanOrEqual(WINDOW_MS * 1_000);
      expect(times.length).toBe(
        processes.flatMap(({ lines }) => lines).filter((line) => line.endsWith('admitted')).length,
      );
      // As many as fit, but for one window at the start and the turn of each.
      expect(times.length).toBeGreaterThan((ARRIVALS_MS / WINDOW_MS - 2) * MAX);
    });
  });

  it('admit a lone retry that waited as long as it was told, in whichever process it arrives', async () => {
    // Half of them in the process that denied it, which remembers; the others where the clock is off the other way.
    const pairs = processes.map((denying, index) => ({
      denying,
      retrying: index % 2 === 0 ? denying : processes.at(-1 - index),
      user: `u${index}`,
    }));
    await Promise.all(
      pairs.map(async ({ denying, retrying, user }, index) => {
        await Promise.all(
          Array.from({ length: MAX }, (_, n) => ask(processes[(n + index) % processes.length], user, `${user}-${n}`)),
        );
        const [, word, seconds] = (await ask(denying, user, `${user}-denied`)).split(' ');
        expect(word).toBe('denied');
        await pause(Number(seconds) * 1_000);
        expect(await ask(retrying, user, `${user}-retry`)).toBe(`${user}-retry admitted`);
      }),
    );
  });
});
