import { loadOnce } from './lazy';

test('loads on first use, once, also for uses at the same time', async () => {
  let loads = 0;
  const load = loadOnce(async () => {
    loads += 1;
    return loads;
  });
  expect(loads).toBe(0);
  expect(await Promise.all([load(), load()])).toEqual([1, 1]);
  expect(await load()).toBe(1);
});

test('tries again after a failure', async () => {
  let loads = 0;
  const load = loadOnce(async () => {
    loads += 1;
    if (loads === 1) throw new Error('disk');
    return loads;
  });
  await expect(load()).rejects.toThrow('disk');
  expect(await load()).toBe(2);
});
