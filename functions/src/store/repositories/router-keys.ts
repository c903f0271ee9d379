import type { RouterKeyRecord, RouterKeyStore } from '../../byok/byok-store';
import type { SealedSecret } from '../../byok/secret-box';
import { change, type Documents, merge, REMOVED, remove, type Snapshot } from '../documents';
import { recordAct } from './acts';
import { fieldsOf, propertiesOf, routerKeyRef, routerModelsRef } from './refs';

/**
 * Router keys, each at `users/{uid}/private/routerKey`, which no client may read; its last four characters are also in
 * `users/{uid}/byok/models`, written together, which its owner may.
 */
export function routerKeyRepository(documents: Documents): RouterKeyStore {
  return {
    putRouterKey: ({ userId, ...key }, act) =>
      documents.change('putRouterKey', {
        read: [routerKeyRef(userId)],
        decide: ([stored]) => {
          const { enc } = keyOf(stored) ?? {};
          // Our own commit, whose answer was lost: every sealing is a new one.
          if (enc && isSame(enc, key.enc)) return { result: undefined };
          const visible = merge(routerModelsRef(userId), { last4: key.last4 });
          return { result: undefined, writes: [change(stored, fieldsOf(key)), visible, ...recordAct(act)] };
        },
      }),

    findRouterKey: async (userId) => {
      const [stored] = await documents.get('findRouterKey', [routerKeyRef(userId)]);
      const key = keyOf(stored);
      return key && { ...key, userId };
    },

    resealRouterKey: (userId, from, to) =>
      documents.change('resealRouterKey', {
        read: [routerKeyRef(userId)],
        decide: ([stored]) => {
          const { enc } = keyOf(stored) ?? {};
          if (enc && isSame(enc, to)) return { result: true };
          if (!enc || !isSame(enc, from)) return { result: false };
          return { result: true, writes: [change(stored, { enc: to })] };
        },
      }),

    deleteRouterKey: (userId, act) => {
      let existed = false;
      return documents.change('deleteRouterKey', {
        read: [routerKeyRef(userId)],
        decide: ([stored]) => {
          if (!stored.fields) return { result: existed };
          existed = true;
          const visible = merge(routerModelsRef(userId), { last4: REMOVED });
          return { result: true, writes: [remove(stored), visible, ...recordAct(act)] };
        },
      });
    },
  };
}

function keyOf({ fields }: Snapshot): Omit<RouterKeyRecord, 'userId'> | undefined {
  return fields && propertiesOf(fields);
}

function isSame(a: SealedSecret, b: SealedSecret): boolean {
  return a.kid === b.kid && a.wdek === b.wdek && a.iv === b.iv && a.ct === b.ct && a.tag === b.tag;
}
