import type { CallRow } from '../../src/ledger/call-row';
import { sleep } from '../../src/lib/clock';
import type { ModelProvider } from '../../src/models/model';
import type { Store } from '../../src/store/store';
import { startApp } from '../support/app';
import { fakeClock } from '../support/fake-clock';
import { textOfTokens } from '../support/text-of-tokens';
import { until } from '../support/until';

const SECOND_MS = 1_000;

/** A model that says eight tokens a second for five seconds, is silent for five, says eight more and ends. */
function speaker(clock = fakeClock()) {
  const provider: ModelProvider = {
    run: async ({ signal }, listener) => {
      for (const waitMs of [100, ...Array(4).fill(SECOND_MS), 5 * SECOND_MS]) {
        await sleep(clock, waitMs, signal);
        await listener.text(textOfTokens(8));
      }
      listener.usage({ promptTokens: 10, completionTokens: 48 });
      return 'stop';
    },
  };
  return { clock, provider };
}

describe('the checkpoints of a run', () => {
  /** Seconds after the start, each with the completion tokens that were written then. */
  const writtenBy = async (checkpoint: (write: () => Promise<void>) => Promise<void>, isHeld = false) => {
    const { clock, provider } = speaker();
    const startedAtMs = clock.nowMs();
    let underWay = 0;
    const written: [second: number, tokens: number[]][] = [];
    const wrapStore = (store: Store): Store => ({
      ...store,
      checkpoint: (id: string, rows: readonly CallRow[]) => {
        written.push([(clock.nowMs() - startedAtMs) / SECOND_MS, rows.map(({ completionTokens }) => completionTokens)]);
        underWay += 1;
        return checkpoint(() => store.checkpoint(id, rows)).finally(() => {
          underWay -= 1;
        });
      },
    });
    await using app = await startApp({ clock, provider, wrapStore });
    const reply = app.chat({ model: 'gpt-4o-mini' });
    const { store } = app.container;
    await until(() => clock.pending > 2);
    for (let second = 0; second < 10; second += 1) {
      await clock.advance(SECOND_MS);
      // The disk has a time of its own.
      await until(() => isHeld || underWay === 0);
    }
    const { headers } = await reply;
    const record = await store.findRecord(headers.get('x-request-id') ?? '');
    expect(record?.calls).toMatchObject([{ completionTokens: 48, outcome: 'ok' }]);
    return written;
  };

  it('come every second while text flows, and not while it does not', async () => {
    // The first expects as much again, each later one half of the last gain; the silence takes that back, once.
    const flowing = [16, 20, 28, 36, 44].map((tokens, index) => [index + 1, [tokens]]);
    expect(await writtenBy((write) => write())).toEqual([...flowing, [6, [40]]]);
  });

  it('wait for the one before, however slow the store is', async () => {
    const gate = Promise.withResolvers<void>();
    expect(await writtenBy(() => gate.promise, true)).toEqual([[1, [16]]]);
    gate.resolve();
  });

  it('write again what could not be written', async () => {
    let refusals = 6;
    const written = await writtenBy((write) => {
      refusals -= 1;
      return refusals < 0 ? write() : Promise.reject(new Error('disk full'));
    });
    // Nothing came after the fifth second; what that was is written in the seventh, and never again.
    expect(written.slice(5)).toEqual([
      [6, [40]],
      [7, [40]],
    ]);
  });
});
