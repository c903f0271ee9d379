import type { DocumentSnapshot, Timestamp } from 'firebase-admin/firestore';
import type { SealedSecret } from '../../byok/secret-box';
import type { RouterKeyRecord, RouterKeyStore } from '../byok-store';
import type { FirestoreClient } from './client';
import { routerKeyRef, routerModelsRef } from './refs';
import type { Session } from './session';

const BUDGET_MS = 5_000;

/** `users/{uid}/private/routerKey`. */
interface RouterKeyFields<Time> {
  readonly enc: SealedSecret;
  readonly last4: string;
  readonly createdAt: Time;
}

/**
 * Router keys, each in a document no client may read; its last four characters are also in `users/{uid}/byok/models`,
 * written together, which its owner may. Every write fails unless the key is still the one it was decided by.
 */
export function firestoreRouterKeys(client: FirestoreClient): RouterKeyStore {
  const run = <T>(name: string, work: (session: Session) => Promise<T>) =>
    client.run({ name, budgetMs: BUDGET_MS }, work);

  return {
    putRouterKey: (record) => run('putRouterKey', (session) => session.untilDecided(() => put(session, record))),

    findRouterKey: (userId) =>
      run('findRouterKey', async (session) => recordOf(userId, (await read(session, userId)).stored)),

    resealRouterKey: (userId, from, to) =>
      run('resealRouterKey', (session) => session.untilDecided(() => reseal(session, userId, { from, to }))),

    deleteRouterKey: (userId) =>
      run('deleteRouterKey', async (session) => {
        let existed = false;
        await session.untilDecided(async () => {
          const { ref, updateTime } = await read(session, userId);
          if (!updateTime) return;
          existed = true;
          await session.commit((writes) => {
            writes.delete(ref, { lastUpdateTime: updateTime });
            const last4 = session.sdk.FieldValue.delete();
            writes.set(routerModelsRef(session.db, userId), { last4 }, { merge: true });
          });
        });
        return existed;
      }),
  };
}

async function put(session: Session, { userId, enc, last4, createdAtMs }: RouterKeyRecord): Promise<void> {
  const { ref, stored, updateTime } = await read(session, userId);
  // Our own commit, whose answer was lost: every sealing is a new one.
  if (stored && isSame(stored.enc, enc)) return;
  const fields = { enc: fieldsOf(enc), last4, createdAt: new Date(createdAtMs) };
  await session.commit((writes) => {
    if (updateTime) writes.update(ref, fields, { lastUpdateTime: updateTime });
    else writes.create(ref, fields);
    writes.set(routerModelsRef(session.db, userId), { last4 }, { merge: true });
  });
}

async function reseal(
  session: Session,
  userId: string,
  { from, to }: { readonly from: SealedSecret; readonly to: SealedSecret },
): Promise<boolean> {
  const { ref, stored, updateTime } = await read(session, userId);
  if (!stored || !updateTime) return false;
  if (isSame(stored.enc, to)) return true;
  if (!isSame(stored.enc, from)) return false;
  await session.commit((writes) => writes.update(ref, { enc: fieldsOf(to) }, { lastUpdateTime: updateTime }));
  return true;
}

async function read(session: Session, userId: string) {
  const ref = routerKeyRef(session.db, userId);
  const [snapshot] = await session.read([ref]);
  return { ref, stored: storedOf(snapshot), updateTime: snapshot?.updateTime };
}

function storedOf(snapshot: DocumentSnapshot | undefined): RouterKeyFields<Timestamp> | undefined {
  return snapshot?.data() as RouterKeyFields<Timestamp> | undefined;
}

function recordOf(userId: string, stored: RouterKeyFields<Timestamp> | undefined): RouterKeyRecord | undefined {
  if (!stored) return undefined;
  return { userId, enc: fieldsOf(stored.enc), last4: stored.last4, createdAtMs: stored.createdAt.toMillis() };
}

function fieldsOf({ v, kid, alg, wdek, iv, ct, tag }: SealedSecret): SealedSecret {
  return { v, kid, alg, wdek, iv, ct, tag };
}

function isSame(a: SealedSecret, b: SealedSecret): boolean {
  return a.kid === b.kid && a.wdek === b.wdek && a.iv === b.iv && a.ct === b.ct && a.tag === b.tag;
}
