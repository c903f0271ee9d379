import type { RouterKeyRecord, RouterKeyStore } from '../../byok/byok-store';
import type { SealedSecret } from '../../byok/secret-box';
import { recordAct } from './acts';
import type { FirestoreClient } from './client';
import { fieldsOf, propertiesOf, replace, routerKeyRef, routerModelsRef, unchanged } from './documents';
import type { Session } from './session';

/**
 * Router keys, each at `users/{uid}/private/routerKey`, which no client may read; its last four characters are also in
 * `users/{uid}/byok/models`, written together, which its owner may. Every write fails unless the key is still the one
 * it was decided by.
 */
export function firestoreRouterKeys(client: FirestoreClient): RouterKeyStore {
  return {
    putRouterKey: ({ userId, ...key }, act) =>
      client.decide('putRouterKey', async (session) => {
        const { document, record } = await read(session, userId);
        // Our own commit, whose answer was lost: every sealing is a new one.
        if (record && isSame(record.enc, key.enc)) return;
        await session.commit((writes) => {
          replace(writes, document, fieldsOf(key));
          writes.set(routerModelsRef(session.db, userId), { last4: key.last4 }, { merge: true });
          recordAct(session, writes, act);
        });
      }),

    findRouterKey: (userId) => client.run('findRouterKey', async (session) => (await read(session, userId)).record),

    resealRouterKey: (userId, from, to) =>
      client.decide('resealRouterKey', async (session) => {
        const { document, record } = await read(session, userId);
        if (!record) return false;
        if (isSame(record.enc, to)) return true;
        if (!isSame(record.enc, from)) return false;
        await session.commit((writes) => writes.update(document.ref, { enc: to }, unchanged(document)));
        return true;
      }),

    deleteRouterKey: async (userId, act) => {
      let existed = false;
      await client.decide('deleteRouterKey', async (session) => {
        const { document, record } = await read(session, userId);
        if (!record) return;
        existed = true;
        await session.commit((writes) => {
          writes.delete(document.ref, unchanged(document));
          const last4 = session.FieldValue.delete();
          writes.set(routerModelsRef(session.db, userId), { last4 }, { merge: true });
          recordAct(session, writes, act);
        });
      });
      return existed;
    },
  };
}

async function read(session: Session, userId: string) {
  const [document] = await session.read([routerKeyRef(session.db, userId)]);
  const fields = document.data();
  const record = fields && { ...propertiesOf<Omit<RouterKeyRecord, 'userId'>>(fields), userId };
  return { document, record };
}

function isSame(a: SealedSecret, b: SealedSecret): boolean {
  return a.kid === b.kid && a.wdek === b.wdek && a.iv === b.iv && a.ct === b.ct && a.tag === b.tag;
}
