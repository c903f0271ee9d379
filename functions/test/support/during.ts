type Closable = { close(): unknown } | { remove(): unknown } | { stop(): unknown };

/** Value that `start` resolves to, started anew before each test of a suite, or once before all, and closed behind. */
export function during<Started extends Closable>(scope: 'each' | 'all', start: () => Promise<Started>): Started {
  const [before, after] = scope === 'each' ? [beforeEach, afterEach] : [beforeAll, afterAll];
  let started: Started | undefined;
  before(async () => {
    started = await start();
  });
  after(async () => {
    if (started) await ('close' in started ? started.close() : 'stop' in started ? started.stop() : started.remove());
    started = undefined;
  });
  const get = (_: unknown, name: string | symbol) => {
    if (!started) throw new Error('it is not started yet');
    return Reflect.get(started, name);
  };
  return new Proxy<Closable>({ close: () => undefined }, { get }) as Started;
}
