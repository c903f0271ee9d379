import { randomInt } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { sweepExpired } from '../../src/ledger/sweep';
import { openEmbeddedStore } from '../../src/store/embedded/embedded-store';
import { fakeClock } from '../support/fake-clock';
import { type Exchange, event, startFakeUpstream } from '../support/fake-upstream';
import { isLongMode } from '../support/long-mode';
import { temporaryDirectory } from '../support/temporary-directory';
import { textOfTokens } from '../support/text-of-tokens';
import { workerPool } from '../support/worker-pool';

const KILLS = isLongMode ? 100 : 5;
/** Processes at a time. */
const LANES = 3;
/** How far the books may be from the bill, in sum: few kills tell little. */
const TOLERANCE = isLongMode ? 0.02 : 0.15;

describe('a service that is killed while its models speak', () => {
  const pool = workerPool(join(__dirname, 'killed-worker.ts'));

  it(
    `books what they had said by then, over ${KILLS} kills`,
    async () => {
      const bill = { tokens: 0 };
      await using upstream = await startSpeakers(bill);
      let booked = 0;
      const kills = Array.from({ length: KILLS }).values();
      const lane = async (): Promise<void> => {
        for (const _ of kills) {
          const tokens = await killedOnce(upstream.url);
          booked += tokens;
        }
      };
      await Promise.all(Array.from({ length: LANES }, lane));
      const ratio = booked / bill.tokens;
      expect(bill.tokens).toBeGreaterThan(KILLS * 500);
      expect(Math.abs(ratio - 1)).toBeLessThan(TOLERANCE);
    },
    KILLS * 20_000,
  );

  /** Completion tokens in the books after one kill and the sweep that follows it. */
  async function killedOnce(url: string): Promise<number> {
    const directory = await temporaryDirectory();
    const worker = pool.start(directory.path, url);
    await worker.printed(1);
    await pause(randomInt(500, 7_000));
    worker.kill();
    await worker.ended;
    const store = openEmbeddedStore({ directory: directory.path });
    await sweepExpired({ store: store, clock: fakeClock(Date.now()) });
    const records = await store.listClosed(0, 100);
    expect(records).toHaveLength(5);
    await store.close();
    await directory.remove();
    return records.flatMap(({ calls }) => calls).reduce((sum, call) => sum + call.completionTokens, 0);
  }
});

/** Models that begin after a while, speak at a pace of their own, report what it was and end; what they said is billed. */
async function startSpeakers(bill: { tokens: number }) {
  const upstream = await startFakeUpstream((exchange) => speak(exchange, bill));
  return { url: upstream.url, [Symbol.asyncDispose]: upstream.close };
}

async function speak({ request, write, end, disconnected }: Exchange, bill: { tokens: number }): Promise<void> {
  // An even number at a time: emoji, of which each is two.
  const tokensPerSecond = 2 * randomInt(10, 50);
  const tokensMax = request.body.includes('"short"') ? 6 : tokensPerSecond * randomInt(3, 9);
  let isGone = false;
  void disconnected.then(() => {
    isGone = true;
  });
  await pause(randomInt(100, 1_200));
  const startedMs = performance.now();
  for (let said = 0; said < tokensMax && !isGone; await pause(100)) {
    const spoken = ((performance.now() - startedMs) / 1_000) * tokensPerSecond;
    const due = Math.min(tokensMax, 2 * Math.floor(spoken / 2));
    if (due === said) continue;
    write(event({ choices: [{ delta: { content: textOfTokens(due - said) } }] }));
    bill.tokens += due - said;
    said = due;
  }
  if (isGone) return;
  const usage = { prompt_tokens: 20, completion_tokens: tokensMax };
  write(event({ choices: [{ delta: {}, finish_reason: 'stop' }] }) + event({ choices: [], usage }));
  end('data: [DONE]\n\n');
}
