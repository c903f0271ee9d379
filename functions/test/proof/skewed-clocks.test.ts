import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Firestore } from '@google-cloud/firestore';
import { describeWithFirestore, rawFirestore } from '../support/firestore-emulator';
import { type WorkerProcess, workerPool } from '../support/worker-pool';
import { seededRandom, withSeed } from './seeded-random';

const SKEWS_MS = [-2_000, -1_200, -400, 400, 1_200, 2_000];
/** Instead of a minute: real time has to pass here, and a skew larger than the window is the harder case. */
const WINDOW_MS = 1_500;
const MAX = 30;
/** Those of six windows. */
const ADMISSIONS = 6 * MAX;
/** A denial is remembered, and a read may lag behind: for so long a slot that has become free may not be given away. */
const UNUSED_MS = 500;
/** For slow machines. */
const PATIENCE_MS = 120_000;

interface Answer {
  readonly requestId: string;
  readonly admitted: boolean;
  readonly askedMs: number;
  readonly decidedMs: number;
  readonly retryAfterMs: number;
}

function answersOf({ lines }: WorkerProcess): Answer[] {
  return lines.slice(1).map((line) => {
    const [requestId = '', word, asked, decided, seconds] = line.split(' ');
    const [askedMs, decidedMs] = [Number(asked), Number(decided)];
    return { requestId, admitted: word === 'admitted', askedMs, decidedMs, retryAfterMs: Number(seconds) * 1_000 };
  });
}

describeWithFirestore('six processes whose clocks differ by up to four seconds', (emulator) => {
  const pool = workerPool(join(__dirname, 'limiter-worker.ts'));
  let raw: Firestore;
  let processes: WorkerProcess[];
  beforeEach(async () => {
    const projectId = emulator.newProject();
    raw = rawFirestore(projectId);
    processes = SKEWS_MS.map((skewMs) => pool.start(projectId, String(skewMs), String(WINDOW_MS)));
    await Promise.all(processes.map((process) => process.printed(1)));
  }, PATIENCE_MS);
  afterEach(() => raw.terminate());

  const at = (index: number): WorkerProcess => processes.at(index % processes.length) as WorkerProcess;
  const admissions = (): number => processes.flatMap(answersOf).filter(({ admitted }) => admitted).length;
  /** Times of the admissions, by the database's clock, in microseconds. */
  const admissionTimes = async (userId: string): Promise<number[]> => {
    const { docs } = await raw.collection('usageLedger').where('uid', '==', userId).get();
    const times = docs.map(({ createTime: { seconds, nanoseconds } }) => seconds * 1e6 + nanoseconds / 1e3);
    return times.sort((a, b) => a - b);
  };

  it(
    'let in no more than 30 in any window of real time, and deny only where 30 were let in just before',
    async () => {
      const random = seededRandom();
      await withSeed(random, async () => {
        const asked = processes.map(() => 0);
        while (admissions() < ADMISSIONS) {
          // Now single requests, now a burst larger than the limit.
          const burst = random.below(8) === 0 ? 60 : 1 + random.below(4);
          for (let count = 0; count < burst; count += 1) {
            const index = random.below(processes.length);
            asked[index] = (asked[index] ?? 0) + 1;
            at(index).send(`ada r${index}.${asked[index]}`);
          }
          await pause(random.below(60));
        }
        await Promise.all(processes.map((process, index) => process.printed(1 + (asked[index] ?? 0))));
        const times = await admissionTimes('ada');
        const spans = times.slice(MAX).map((time, index) => time - (times[index] ?? 0));
        expect(Math.min(...spans)).toBeGreaterThanOrEqual(WINDOW_MS * 1_000);
        expect(times.length).toBe(admissions());
        const denied = processes.flatMap(answersOf).filter(({ admitted }) => !admitted);
        const letInBefore = ({ askedMs, decidedMs }: Answer): number => {
          const fromMs = askedMs - WINDOW_MS - UNUSED_MS;
          return times.filter((time) => time > fromMs * 1_000 && time < (decidedMs + 1) * 1_000).length;
        };
        expect(denied.length).toBeGreaterThan(0);
        expect(denied.filter((answer) => letInBefore(answer) < MAX)).toEqual([]);
      });
    },
    PATIENCE_MS,
  );
});
