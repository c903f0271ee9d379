import { Semaphore } from './semaphore';

/** Tasks that say when they start and end when they are told to. */
function tasks(semaphore: Semaphore, count: number) {
  const started: number[] = [];
  const gates = Array.from({ length: count }, () => Promise.withResolvers<void>());
  const runs = gates.map(({ promise }, index) =>
    semaphore.run(() => {
      started.push(index);
      return promise;
    }),
  );
  return { started, gates, runs };
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('a semaphore', () => {
  it('runs as many tasks at once as it has slots, the others in the order they came', async () => {
    const { started, gates, runs } = tasks(new Semaphore(2), 4);
    await turn();
    expect(started).toEqual([0, 1]);
    gates[1]?.resolve();
    await turn();
    expect(started).toEqual([0, 1, 2]);
    gates[0]?.resolve();
    gates[2]?.resolve();
    await turn();
    expect(started).toEqual([0, 1, 2, 3]);
    gates[3]?.resolve();
    await Promise.all(runs);
  });

  it('lets nobody jump the line when a slot frees', async () => {
    const semaphore = new Semaphore(1);
    const { started, gates } = tasks(semaphore, 2);
    await turn();
    gates[0]?.resolve();
    // Asks before the freed slot has reached the one who waits.
    const late = semaphore.run(async () => started.push(9));
    await turn();
    expect(started).toEqual([0, 1]);
    gates[1]?.resolve();
    await late;
    expect(started).toEqual([0, 1, 9]);
  });

  it('passes a failure on and frees its slot', async () => {
    const semaphore = new Semaphore(1);
    await expect(semaphore.run(() => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(await semaphore.run(async () => 'next')).toBe('next');
  });
});
