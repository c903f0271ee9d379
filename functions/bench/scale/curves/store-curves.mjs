import { ask, chat } from '../../load.mjs';
import { costOf, ownStore, withCountedServer } from './counted-server.mjs';
import { fillLedger } from './fill-ledger.mjs';

const REQUESTS = 200;

/** What else the store holds may not make a request dearer: what is made larger, and how the points are found. */
export const STORE_CURVES = {
  users: { title: 'users seen by a process, 1 to 10,000', points: users },
  months: { title: 'lines of the month of a user, 1 to 200', points: months },
  ledger: { title: 'records in the ledger, 1,000 to 1,000,000', points: ledger },
};

/** Every request is of a user that the process has not seen: after each 500 what a request took. */
async function users(bench) {
  const block = 500;
  const blocks = 10_000 / block;
  return withCountedServer(await ownStore(bench, (blocks + 1) * block), async ({ server, as, keys }) => {
    const to = as(keys);
    const points = [];
    for (let turn = 0; turn <= blocks; turn += 1) {
      const cost = await costOf(server, block, () => ask(to, chat('fake-instant')));
      // In the first the code was still cold.
      if (turn > 0) points.push({ size: turn * block, ...cost });
    }
    return points;
  });
}

/** A user for each size, with so many models in the month; all of them have made as many requests. */
async function months(bench) {
  const sizes = [1, 50, 100, 200];
  return withCountedServer(await ownStore(bench, sizes.length), async ({ server, as, keys }) => {
    const asUser = sizes.map((size, user) => {
      const to = as([keys[user]]);
      return (index) => ask(to, chat(`fake-${index % size}ms`));
    });
    for (const asked of asUser) await costOf(server, REQUESTS, asked);
    return eachSize(sizes, (at) => costOf(server, REQUESTS, asUser[at]));
  });
}

/** A server on the same store for each size. */
async function ledger(bench) {
  const sizes = [1_000, 10_000, 100_000, 1_000_000];
  const store = await ownStore(bench, 300);
  const measured = () =>
    withCountedServer(store, async ({ server, as, keys }) => {
      const asked = () => ask(to, chat('fake-instant'));
      const to = as(keys);
      await costOf(server, 3 * REQUESTS, asked);
      return costOf(server, REQUESTS, asked);
    });
  await measured();
  return eachSize(sizes, (at) => {
    fillLedger(store.settings.DATA_DIR, sizes[at]);
    return measured();
  });
}

async function eachSize(sizes, costAt) {
  const points = [];
  for (const [at, size] of sizes.entries()) points.push({ size, ...(await costAt(at)) });
  return points;
}
