import { createLimiter } from '../../src/access/limiter';
import { retryAfterSeconds } from '../../src/access/rate-limit';
import { openFirestoreStore } from '../../src/store/firestore/firestore-store';
import { reservation } from '../support/store-records';
import { onLine, print } from '../support/worker-lines';
import { patientClock } from './patient-clock';

/**
 * The limiter of one process with a wrong clock: `node worker.js <emulator host> <project> <skew ms> <window ms>`.
 * It prints `ready`; for each line `<user> <request id>` it asks for an admission and prints
 * `<request id> <admitted|denied|failed> <asked> <decided> <Retry-After seconds>`, both moments in real milliseconds.
 */
const [, , host = '', projectId = '', skewMs = '', windowMs = ''] = process.argv;
process.env['FIRESTORE_EMULATOR_HOST'] = host;

const clock = { ...patientClock, nowMs: () => Date.now() + Number(skewMs) };
const limit = { name: 'api', max: 30, windowMs: Number(windowMs) } as const;
const store = openFirestoreStore({ projectId, clock, limiterTime: 'server' });
const limiter = createLimiter(store, limit, clock);

async function ask(userId: string, requestId: string): Promise<void> {
  const askedMs = Date.now();
  const word = await limiter.admit(reservation(requestId, { userId })).catch(() => undefined);
  if (!word) {
    print(`${requestId} failed ${askedMs} ${Date.now()} 0`);
    return;
  }
  const said = word.admitted ? 'admitted' : 'denied';
  const retryAfter = word.admitted || 'usedUp' in word ? 0 : retryAfterSeconds(word.waitMs, limit.windowMs);
  print(`${requestId} ${said} ${askedMs} ${Date.now()} ${retryAfter}`);
}

void store.findRecord('warm-up').then(() => print('ready'));
onLine((line) => {
  const [userId = '', requestId = ''] = line.split(' ');
  void ask(userId, requestId);
});
