import { isDeepStrictEqual } from 'node:util';
import type { ByokStore, RouterKeyRecord, RouterModelRecord } from '../../byok/byok-store';
import { decideLease, type Grant, grantState } from '../../byok/grant';
import { LEDGER_RETENTION_MS } from '../../ledger/ledger-store';
import type { UserMonth } from '../../ledger/usage-store';
import { change, type Documents, Increment, merge, REMOVED, remove, type Snapshot, type Write } from '../documents';
import { recordAct } from './acts';
import { at, fieldsOf, mapKey, propertiesOf } from './refs';

interface StoredGrant {
  readonly used?: number;
  /** Leases by hashed request id. */
  readonly open?: Readonly<Record<string, { readonly id: string; readonly est: number; readonly leaseUntil: number }>>;
}

/** Models by hashed slug and their count; as much of the router key as its owner's browser may read. */
interface StoredModels {
  readonly models?: Readonly<Record<string, object>>;
  readonly count?: number;
  readonly last4?: string;
}

/**
 * Bring your own key: a user's router key, encrypted, at `users/{uid}/private/routerKey`, which no client may read; the
 * router models, beside the last four characters of the key, at `users/{uid}/byok/models`, which its owner may; and the
 * tokens of a month, used and leased, at `users/{uid}/byok/grant-{YYYY-MM}`.
 */
export function byokRepository(documents: Documents): ByokStore {
  return {
    putRouterKey: ({ userId, ...key }, act) =>
      documents.change('putRouterKey', {
        read: [routerKeyRef(userId)],
        decide: ([stored]) => {
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
          const enc = keyOf(stored)?.enc;
          if (isDeepStrictEqual(enc, to)) return { result: true };
          return isDeepStrictEqual(enc, from)
            ? { result: true, writes: [change(stored, { enc: to })] }
            : { result: false };
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

    addRouterModels: (userId, added, { max, act }) =>
      documents.change('addRouterModels', {
        read: [routerModelsRef(userId)],
        decide: ([stored]) => {
          const models = modelsOf(stored);
          for (const model of added) {
            models.set(model.slug, { ...model, addedAtMs: models.get(model.slug)?.addedAtMs ?? model.addedAtMs });
          }
          if (models.size > max) return { result: false };
          const entries = [...models.values()].map((model) => [mapKey(model.slug), fieldsOf(model)] as const);
          const fields = { models: Object.fromEntries(entries), count: models.size };
          return { result: true, writes: [change(stored, fields), ...recordAct(act)] };
        },
      }),

    removeRouterModel: (userId, slug, act) => {
      let existed = false;
      return documents.change('removeRouterModel', {
        read: [routerModelsRef(userId)],
        decide: ([stored]) => {
          const models = modelsOf(stored);
          if (!models.delete(slug)) return { result: existed };
          existed = true;
          const fields = { [`models.${mapKey(slug)}`]: REMOVED, count: models.size };
          return { result: true, writes: [change(stored, fields), ...recordAct(act)] };
        },
      });
    },

    listRouterModels: async (userId) => {
      const [stored] = await documents.get('listRouterModels', [routerModelsRef(userId)]);
      return [...modelsOf(stored).values()].sort((a, b) => a.addedAtMs - b.addedAtMs || (a.slug < b.slug ? -1 : 1));
    },

    leaseGrant: (lease, maxTokens, nowMs) =>
      documents.change('leaseGrant', {
        read: [grantRef(lease)],
        turn: `leaseGrant ${lease.userId}`,
        decide: ([stored]) => {
          const { decision, leases } = decideLease(grantOf(stored), lease, { maxTokens, nowMs });
          if (!leases) return { result: decision };
          const open = [...leases].map(([id, { tokens: est, untilMs: leaseUntil }]) => {
            return [mapKey(id), { id, est, leaseUntil }] as const;
          });
          const fields = { open: Object.fromEntries(open), expireAt: expiryOf(lease.month) };
          return { result: decision, writes: [change(stored, fields)] };
        },
      }),

    readGrant: async (of, nowMs) => {
      const [stored] = await documents.get('readGrant', [grantRef(of)]);
      return grantState(grantOf(stored), nowMs);
    },
  };
}

/** Adds what a settled request used to its grant and ends its lease; goes into the commit that closes its record. */
export function addToGrant(
  settled: UserMonth & { readonly requestId: string; readonly platformTokens: number },
): Write {
  const { requestId, platformTokens, month } = settled;
  const used = new Increment(platformTokens);
  return merge(grantRef(settled), { used, [`open.${mapKey(requestId)}`]: REMOVED, expireAt: expiryOf(month) });
}

function keyOf({ fields }: Snapshot): Omit<RouterKeyRecord, 'userId'> | undefined {
  return fields && propertiesOf(fields);
}

function modelsOf({ fields }: Snapshot<StoredModels>): Map<string, RouterModelRecord> {
  const records = Object.values(fields?.models ?? {}).map((model) => propertiesOf<RouterModelRecord>(model));
  return new Map(records.map((record) => [record.slug, record]));
}

function grantOf({ fields }: Snapshot<StoredGrant>): Grant {
  const leases = Object.values(fields?.open ?? {}).map(({ id, est, leaseUntil }) => {
    return [id, { tokens: est, untilMs: leaseUntil }] as const;
  });
  return { usedTokens: fields?.used ?? 0, leases: new Map(leases) };
}

/** A grant is kept as long as the ledger records it was used up by. */
function expiryOf(month: string): number {
  return Date.parse(`${month}-01`) + LEDGER_RETENTION_MS;
}

export const routerKeyRef = (userId: string) => at('users', userId, 'private', 'routerKey');

export const routerModelsRef = (userId: string) => at<StoredModels>('users', userId, 'byok', 'models');

const grantRef = ({ userId, month }: UserMonth) => at<StoredGrant>('users', userId, 'byok', `grant-${month}`);
