import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { systemClock } from './clock';

describe('systemClock', () => {
  it('regression: a timer that is cancelled leaves nothing behind until the time it would have fired', () => {
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as () => void;
    const heapBytes = (): number => {
      collect();
      return process.memoryUsage().heapUsed;
    };
    const timers = 20_000;
    const useTimers = (fromMs: number): void => {
      for (let index = 0; index < timers; index += 1) systemClock.after(fromMs + index, () => undefined)();
    };
    useTimers(400_000);
    const before = heapBytes();
    useTimers(500_000);
    // Node kept a list for each time of its own, of more than 100 bytes.
    expect(heapBytes() - before).toBeLessThan(timers * 50);
  });
});
