import { writeSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { createLimiter } from '../../src/guard/limiter';
import { retryAfterSeconds } from '../../src/guard/rate-limit';
import { systemClock } from '../../src/lib/clock';
import { openFirestoreStore } from '../../src/store/firestore/firestore-store';
import { reservation } from './store-records';

/**
 * The limiter of one process with a wrong clock: `node worker.js <emulator host> <project> <skew ms> <window ms>`.
 * It prints `ready`; for each line `<user> <request id>` it asks for an admission and prints
 * `<request id> admitted` or `<request id> denied <Retry-After seconds>`.
 */
const [, , host = '', projectId = '', skewMs = '', windowMs = ''] = process.argv;
process.env['FIRESTORE_EMULATOR_HOST'] = host;

const clock = { ...systemClock, nowMs: () => Date.now() + Number(skewMs) };
const limit = { plan: 'api', max: 30, windowMs: Number(windowMs) } as const;
const store = openFirestoreStore({ projectId, clock, limiterTime: 'server' });
const limiter = createLimiter(store, limit, clock);

async function ask(userId: string, requestId: string): Promise<void> {
  const word = await limiter.admit(reservation(requestId, { userId }));
  const denied = word.admitted ? '' : ` ${retryAfterSeconds(word.waitMs, limit.windowMs)}`;
  writeSync(1, `${requestId} ${word.admitted ? 'admitted' : 'denied'}${denied}\n`);
}

void store.findRecord('warm-up').then(() => writeSync(1, 'ready\n'));
createInterface({ input: process.stdin })
  .on('line', (line) => {
    const [userId = '', requestId = ''] = line.split(' ');
    void ask(userId, requestId);
  })
  .on('close', () => process.exit());
