import { parsePeppers } from '../../src/access/api-key';
import { ServerBudget } from '../../src/access/budget';
import { createGuard, type Guard } from '../../src/access/guard';
import { createKey } from '../../src/access/keys';
import { createLimiter } from '../../src/access/limiter';
import { isRefusal } from '../../src/errors';
import { fakeClock } from '../support/fake-clock';
import { rateLimit, T0 } from '../support/store-records';
import { until } from '../support/until';
import type { CurrentStore } from './store.contract';

/** Peppers over the life of a deployment: each guard is a process with the `KEY_PEPPER` of its time. */
export function pepperContract(current: CurrentStore): void {
  const clock = fakeClock(T0);
  const process = (keyPepper: string): Guard => {
    const store = current();
    const limiter = createLimiter(store, rateLimit(30), clock);
    const serverBudget = new ServerBudget(store, clock);
    return createGuard({ store, limiter, serverBudget, clock, keyPrefix: 'ens', peppers: parsePeppers(keyPepper) });
  };
  const newKey = async (keyPepper: string, name: string): Promise<string> => {
    const deps = { store: current(), clock, keyPrefix: 'ens', peppers: parsePeppers(keyPepper) };
    const created = await createKey(deps, { userId: 'ada', name });
    if (isRefusal(created)) throw new Error(created.text);
    return `Bearer ${created.key}`;
  };
  const works = async (key: string, guard: Guard): Promise<boolean> => !isRefusal(await guard.identify(key));
  const versions = async () =>
    (await current().listKeys('ada')).map(({ name, pepperVersion }) => [name, pepperVersion]);

  beforeEach(() => current().putSubscription({ userId: 'ada', tier: 'pro', status: 'active', sourceUpdatedAtMs: T0 }));

  it('a key that was used while the old pepper was live works after it is retired; one that was not does not', async () => {
    const [used, unused] = [await newKey('one', 'used'), await newKey('one', 'unused')];
    const [one, two] = parsePeppers('one,two').map(({ version }) => version);
    expect(await works(used, process('one'))).toBe(true);
    expect(await works(used, process('two,one'))).toBe(true);
    await until(async () => (await versions()).some(([, version]) => version === two));
    expect(Object.fromEntries(await versions())).toEqual({ used: two, unused: one });
    const retired = process('two');
    expect(await works(used, retired)).toBe(true);
    expect(await works(unused, retired)).toBe(false);
    // And so on for the next one.
    expect(await works(used, process('three,two'))).toBe(true);
    await until(async () => Object.fromEntries(await versions())['used'] !== two);
    expect(await works(used, process('three'))).toBe(true);
  });

  it('a key made under the new pepper works where the old one is still live, and nowhere else', async () => {
    const key = await newKey('two,one', 'new');
    expect(await works(key, process('two,one'))).toBe(true);
    expect(await works(key, process('two'))).toBe(true);
    expect(await works(key, process('one'))).toBe(false);
  });

  it('of many requests at once with a key under the old pepper every one passes', async () => {
    const key = await newKey('one', 'busy');
    const processes = [process('two,one'), process('two,one')];
    const passed = await Promise.all(
      Array.from({ length: 20 }, (_, index) => works(key, processes[index % 2] as Guard)),
    );
    expect(passed).toEqual(Array(20).fill(true));
    await until(async () => (await versions())[0]?.[1] === parsePeppers('two')[0]?.version);
    expect(await works(key, processes[0] as Guard)).toBe(true);
  });
}
