import { fakeClock } from '../../../test/support/fake-clock';
import { OutputPace, type Paced } from './output-pace';

const KIB = 1024;
/** At 8 Mi characters a second: 7.8 ms, and timers know whole ones. */
const STEP_MS = 8;

/** Reads steps of 64 Ki characters, as fast as it may; how many it has read is in `steps`. */
function startReader(paced: Paced) {
  const reader = { steps: 0 };
  const read = async (): Promise<void> => {
    for (;;) {
      await paced((reader.steps + 1) * 64 * KIB);
      reader.steps += 1;
    }
  };
  void read();
  return reader;
}

describe('what a model writes', () => {
  it('is read as it comes up to the length of an answer', () => {
    const paced = new OutputPace(fakeClock()).begin('ann');
    expect([1, 16 * KIB, 64 * KIB - 1].map(paced)).toEqual([undefined, undefined, undefined]);
  });

  it('is read at 8 Mi characters a second beyond that, whatever comes', async () => {
    const clock = fakeClock();
    const pace = new OutputPace(clock);
    const readers = ['ann', 'ann', 'bob'].map((owner) => startReader(pace.begin(owner)));
    await clock.advance(100 * STEP_MS);
    const [first = 0, second = 0, bob = 0] = readers.map(({ steps }) => steps);
    // The first one is read at once.
    expect(first + second + bob).toBe(101);
    expect(Math.abs(first + second - bob)).toBeLessThanOrEqual(2);
  });

  it('waits longer after a larger piece', async () => {
    const clock = fakeClock();
    const pace = new OutputPace(clock);
    await pace.begin('ann')(640 * KIB);
    let isRead = false;
    void pace
      .begin('bob')(64 * KIB)
      ?.then(() => {
        isRead = true;
      });
    await clock.advance(78);
    expect(isRead).toBe(false);
    await clock.advance(1);
    expect(isRead).toBe(true);
  });
});
