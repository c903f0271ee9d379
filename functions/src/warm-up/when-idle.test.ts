import { fakeClock } from '../../test/support/fake-clock';
import { OpenWork } from '../lib/open-work';
import { QUIET_MS, whenIdle } from './when-idle';

describe('whenIdle', () => {
  const scene = () => {
    const [clock, openWork] = [fakeClock(), new OpenWork()];
    const idle = whenIdle(openWork, clock);
    const waits = (own = 0) => {
      const wait = { isOver: false };
      void idle(own).then(() => {
        wait.isOver = true;
      });
      return wait;
    };
    return { clock, openWork, waits };
  };

  it('waits for a tenth of a second in which nothing begins', async () => {
    const { clock, waits } = scene();
    const first = waits();
    await clock.advance(QUIET_MS - 1);
    expect(first.isOver).toBe(false);
    await clock.advance(1);
    expect(first.isOver).toBe(true);
  });

  it('begins to wait anew when a request has come and gone meanwhile', async () => {
    const { clock, openWork, waits } = scene();
    const first = waits();
    await clock.advance(QUIET_MS / 2);
    openWork.begin()();
    await clock.advance(QUIET_MS / 2);
    expect(first.isOver).toBe(false);
    await clock.advance(QUIET_MS);
    expect(first.isOver).toBe(true);
  });

  it('waits as long as a request of somebody’s is open, and not for one of its own', async () => {
    const { clock, openWork, waits } = scene();
    openWork.begin();
    const [own, end] = [waits(1), openWork.begin()];
    const foreign = waits(1);
    await clock.advance(100 * QUIET_MS);
    expect([own.isOver, foreign.isOver]).toEqual([false, false]);
    end();
    await clock.advance(QUIET_MS);
    expect([own.isOver, foreign.isOver]).toEqual([true, true]);
  });

  it('does not wait again where nothing has begun since', async () => {
    const { clock, openWork, waits } = scene();
    waits();
    await clock.advance(QUIET_MS);
    const second = waits();
    await clock.advance(0);
    expect(second.isOver).toBe(true);
    openWork.begin()();
    const third = waits();
    await clock.advance(0);
    expect(third.isOver).toBe(false);
  });

  it('waits for nothing once the process is to end', async () => {
    const { clock, openWork, waits } = scene();
    const [first, end] = [waits(), openWork.begin()];
    const stopped = openWork.stop();
    await clock.advance(0);
    expect(first.isOver).toBe(true);
    end();
    await stopped;
  });
});
