import { type Clock, systemClock } from '../../lib/clock';
import { consumptionOf } from '../../usage/consumption';
import type { RateLimit, Reservation, Settlement, Store } from '../store';
import { CommitQueue } from './commit-queue';
import { openDatabase } from './database';
import { grantTables } from './grant-tables';
import { keyTable } from './key-table';
import { ledgerTable } from './ledger-table';
import { isBusy, whenUnlocked } from './locking';
import { rateLogTable } from './rate-log-table';
import { routerKeyTable } from './router-key-table';
import { routerModelTable } from './router-model-table';
import { subscriptionTable } from './subscription-table';
import { usageTables } from './usage-tables';

/** Where the embedded store keeps its file. */
export interface EmbeddedStoreOptions {
  /** Created when missing, readable by its owner only. Several processes may share it. */
  readonly directory: string;
  /** Tells how old ledger records are when the store opens. */
  readonly clock?: Clock;
}

/**
 * The store on one SQLite file, `ensemble.db`: for one machine, with no server beside it. Limits and books hold across
 * all processes that share the directory, and what was acknowledged survives a crash and a power failure.
 * Throws when the directory cannot be used or was written by a newer version. Reads run at once; writes go through
 * the commit queue.
 */
export function openEmbeddedStore({ directory, clock = systemClock }: EmbeddedStoreOptions): Store {
  const opened = openDatabase(directory);
  const { db } = opened;
  const keys = keyTable(db);
  const subscriptions = subscriptionTable(db);
  const rateLogs = rateLogTable(db);
  const ledger = ledgerTable(db);
  const usage = usageTables(db);
  const routerKeys = routerKeyTable(db);
  const routerModels = routerModelTable(db);
  const grants = grantTables(db);
  ledger.prune(clock.nowMs());
  const commits = new CommitQueue(opened);

  return {
    insertKey: (record) => commits.write(() => keys.insert(record)),
    findKey: (keyId) => read(() => keys.find(keyId)),
    listKeys: (userId) => read(() => keys.list(userId)),
    updateKey: (keyId, change) => commits.write(() => keys.update(keyId, change)),
    readAccess: (hashes) => read(() => keys.access(hashes)),

    getSubscription: (userId) => read(() => subscriptions.get(userId)),
    putSubscription: (subscription) => commits.write(() => subscriptions.put(subscription)),

    admit: (limit, reservations, nowMs) => commits.write(() => admit(limit, reservations, nowMs)),

    checkpoint: (requestId, calls) => commits.write(() => ledger.checkpoint(requestId, calls)),
    settle: (settlement) => commits.write(() => settle(settlement)),
    listExpired: (nowMs, max) =>
      commits.write(() => {
        ledger.endLeasesOfTheDead();
        return ledger.listExpired(nowMs, max);
      }),
    findRecord: (requestId) => read(() => ledger.find(requestId)),

    readMonths: (userId, months) => read(() => snapshot(() => usage.readMonths(userId, months))),

    listTouchedMonths: (sinceMs) => read(() => ledger.listTouchedMonths(sinceMs)),
    listRecords: (of, { afterRequestId, max }) => read(() => ledger.listRecords(of, afterRequestId, max)),

    putRouterKey: (record) => commits.write(() => routerKeys.put(record)),
    findRouterKey: (userId) => read(() => routerKeys.find(userId)),
    resealRouterKey: (userId, from, to) => commits.write(() => routerKeys.reseal(userId, from, to)),
    deleteRouterKey: (userId) => commits.write(() => routerKeys.remove(userId)),

    addRouterModels: (userId, models, max) => commits.write(() => routerModels.add(userId, models, max)),
    removeRouterModel: (userId, slug) => commits.write(() => routerModels.remove(userId, slug)),
    listRouterModels: (userId) => read(() => routerModels.list(userId)),

    leaseGrant: (lease, maxTokens, nowMs) => commits.write(() => grants.lease(lease, { maxTokens, nowMs })),
    readGrant: (of, nowMs) => read(() => snapshot(() => grants.read(of, nowMs))),

    close: () => commits.close(),
  };

  function admit(limit: RateLimit, reservations: readonly Reservation[], nowMs: number) {
    const admissions = rateLogs.decide(limit, reservations, nowMs);
    for (const [index, reservation] of reservations.entries()) {
      const { calls } = reservation;
      if (calls && admissions[index]?.admitted) ledger.open(reservation, calls);
    }
    return admissions;
  }

  function settle(settlement: Settlement) {
    const closed = ledger.close(settlement);
    if (!closed) return ledger.find(settlement.requestId) ? 'already' : 'missing';
    const consumption = consumptionOf(settlement.calls);
    usage.add(closed, consumption);
    if (closed.onGrant === 1) grants.settle(closed, settlement.requestId, consumption.platformTokens);
    return 'applied';
  }

  /** Several reads of one state, whatever other processes write meanwhile. */
  function snapshot<T>(work: () => T): T {
    db.exec('BEGIN');
    try {
      return work();
    } finally {
      db.exec('COMMIT');
    }
  }
}

function read<T>(work: () => T): Promise<T> {
  try {
    return Promise.resolve(work());
  } catch (error) {
    // Readers are refused only for the moment in which another process repairs the log after a crash.
    return isBusy(error) ? whenUnlocked(work) : Promise.reject(error);
  }
}
