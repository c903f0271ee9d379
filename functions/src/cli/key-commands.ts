import type { Container } from '../container';
import { OVERLAPS_MS } from '../endpoints/dashboard/key-requests';
import { isRefusal, type Refusal } from '../errors';
import { type EndpointName, isLive, type KeyRecord, type OwnKey } from '../guard/key-store';
import { type CreatedKey, createKey, type KeyDeps, type NewKey, revokeKey, rotateKey } from '../keys/keys';
import { isoTime } from '../lib/iso-time';
import { formatUsd } from '../lib/usd';
import type { Ask, Command, Operation } from './command';
import { orThrow } from './outcome';
import type { Output } from './output';
import { chosen, dollars, futureTime, listed, type Options, required, wholeNumber } from './parse-options';
import { textTable } from './text-table';

/** How long a rotated key works on, milliseconds. */
const OVERLAPS: ReadonlyMap<string, number> = new Map(Object.entries(OVERLAPS_MS));
const NO_OVERLAP = '0';
const QUESTION = `How long shall the old key work on (${[...OVERLAPS.keys()].join(', ')})? [${NO_OVERLAP}] `;

/** Fields of keys that have another name on the command line. */
const OPTIONS: ReadonlyMap<string, string> = new Map([
  ['expiresAt', 'expires'],
  ['requestsPerMinute', 'rpm'],
  ['budgetUsd', 'budget'],
]);
const FIELD = /^Invalid (\w+)/;

/** What an operator does with API keys. */
export const KEY_COMMANDS: Readonly<Record<string, Command>> = {
  'keys create': {
    summary: 'make an API key and print it, this once',
    needs: ['user', 'name'],
    takes: ['expires', 'models', 'endpoints', 'rpm', 'budget'],
    examples: [
      'keys create --user alice --name laptop',
      'keys create --user alice --name ci --expires 90d --models "gpt-*" --rpm 10 --budget 5',
    ],
    notes: ['The user needs an active Pro subscription: see `subscriptions set`.'],
    run: create,
  },
  'keys list': {
    summary: 'list the keys of a user, newest first',
    needs: ['user'],
    takes: [],
    examples: ['keys list --user alice', 'keys list --user alice --json'],
    run: list,
  },
  'keys rotate': {
    summary: 'replace a key by a new one with the same name, expiry and limits',
    needs: ['id'],
    takes: ['overlap'],
    examples: ['keys rotate --id key_0123 --overlap 24h'],
    notes: [
      'Without --overlap it asks where somebody sits before a terminal; elsewhere the overlap is 0, and the old key',
      'stops working at once. What was done is printed with the new key.',
    ],
    run: rotate,
  },
  'keys revoke': {
    summary: 'end a key at once and for good',
    needs: ['id'],
    takes: [],
    examples: ['keys revoke --id key_0123'],
    run: revoke,
  },
};

async function create({ container, options }: Operation): Promise<Output> {
  const wanted = newKey(options, container.clock.nowMs());
  const created = orExplain(await createKey(keyDeps(container), wanted), wanted.userId);
  return { data: createdView(created), text: createdText(created) };
}

async function list({ container: { store, clock }, options }: Operation): Promise<Output> {
  const userId = required(options, 'user');
  const keys = await store.listKeys(userId);
  const nowMs = clock.nowMs();
  const rows = keys.map((record) => keyRow(record, nowMs));
  return { data: keys.map((record) => keyView(record, nowMs)), text: rows.length > 0 ? textTable(rows) : 'no keys' };
}

async function rotate({ container, options, ask }: Operation): Promise<Output> {
  const given = chosen(options, 'overlap', OVERLAPS);
  const old = await keyOfAnyone(container, required(options, 'id'));
  const asked = given === undefined && ask !== undefined && old.userId !== '' ? await askOverlap(ask) : undefined;
  const overlap = options['overlap'] ?? asked ?? NO_OVERLAP;
  const overlapMs = OVERLAPS.get(overlap) ?? 0;
  const created = orExplain(await rotateKey(keyDeps(container), { ...old, overlapMs }), old.userId);
  const endsAt = isoTime((await container.store.findKey(old.keyId))?.expiresAtMs ?? null);
  const choice = options['overlap'] === undefined && asked === undefined ? `${overlap}, the default` : overlap;
  const fate = overlapMs === 0 ? 'works no more' : `works until ${endsAt}`;
  return {
    data: { ...createdView(created), replaces: old.keyId, overlap, oldKeyEndsAt: endsAt },
    text: `${createdText(created)}\nThe old key ${old.keyId} ${fate} (overlap ${choice}).`,
  };
}

async function revoke({ container, options }: Operation): Promise<Output> {
  const id = required(options, 'id');
  orThrow(await revokeKey(keyDeps(container), await keyOfAnyone(container, id)));
  return { data: { id, status: 'revoked' }, text: `${id} is revoked` };
}

async function askOverlap(ask: Ask): Promise<string> {
  for (;;) {
    const answer = (await ask(QUESTION)).trim() || NO_OVERLAP;
    if (OVERLAPS.has(answer)) return answer;
  }
}

/** The operator names keys alone: whose they are is looked up. */
async function keyOfAnyone({ store }: Container, keyId: string): Promise<OwnKey> {
  const found = await store.findKey(keyId);
  return { keyId, userId: found?.userId ?? '' };
}

function keyDeps(container: Container): KeyDeps {
  const { keyPrefix, requestsPerMinute } = container.config;
  return { ...container, keyPrefix, requestsPerMinute, actor: 'cli' };
}

/** The API tells a user to upgrade; an operator is told how that is done. */
function orExplain(result: CreatedKey | Refusal, userId: string): CreatedKey {
  if (!isRefusal(result)) return result;
  if (result.code !== 'no_subscription') throw new Error(asOption(result.text));
  const set = `npm run admin -- subscriptions set --user ${JSON.stringify(userId)} --tier pro --status active`;
  throw new Error(`user ${userId} has no active Pro subscription in this store: ${set}`);
}

/** A refusal names fields as the API does; whoever typed an option knows it by that name. */
function asOption(text: string): string {
  return text.replace(FIELD, (whole, field: string) => {
    const option = OPTIONS.get(field);
    return option === undefined ? whole : `Invalid --${option}`;
  });
}

/** What `keys create` asks for. */
function newKey(options: Options, nowMs: number): NewKey {
  const [models, endpoints] = [listed(options, 'models'), listed(options, 'endpoints')];
  const [requestsPerMinute, budgetNanoUsd] = [wholeNumber(options, 'rpm'), dollars(options, 'budget')];
  return {
    userId: required(options, 'user'),
    name: required(options, 'name'),
    expiresAtMs: futureTime(options, 'expires', nowMs) ?? null,
    ...(models && { models }),
    // Unknown names are refused by name where the key is made.
    ...(endpoints && { endpoints: endpoints as EndpointName[] }),
    ...(requestsPerMinute !== undefined && { requestsPerMinute }),
    ...(budgetNanoUsd !== undefined && { budgetNanoUsd }),
  };
}

function createdView({ key, record }: CreatedKey) {
  const { keyId: id, name, prefix, last4 } = record;
  return { id, key, name, prefix, last4 };
}

function createdText({ key, record }: CreatedKey): string {
  const expiry = record.expiresAtMs === null ? 'does not expire' : `expires ${isoTime(record.expiresAtMs)}`;
  return `${key}\n(id ${record.keyId}; ${expiry}; shown only this once)`;
}

function keyView(record: KeyRecord, nowMs: number) {
  const { keyId: id, name, prefix, last4, replacedBy, pepperVersion } = record;
  const { models, endpoints, requestsPerMinute, budgetNanoUsd } = record;
  return {
    id,
    name,
    prefix,
    last4,
    status: statusOf(record, nowMs),
    createdAt: isoTime(record.createdAtMs),
    expiresAt: isoTime(record.expiresAtMs),
    lastUsedAt: isoTime(record.lastUsedAtMs),
    replacedBy,
    pepperVersion,
    models: models ?? null,
    endpoints: endpoints ?? null,
    requestsPerMinute: requestsPerMinute ?? null,
    budgetUsd: budgetNanoUsd === undefined ? null : budgetNanoUsd / 1e9,
  };
}

function keyRow(record: KeyRecord, nowMs: number) {
  const { keyId, name, prefix, last4, models, endpoints, requestsPerMinute, budgetNanoUsd } = record;
  const limits = [
    models && `models ${models.join(',')}`,
    endpoints && `endpoints ${endpoints.join(',')}`,
    requestsPerMinute !== undefined && `${requestsPerMinute} requests a minute`,
    budgetNanoUsd !== undefined && `${formatUsd(budgetNanoUsd)} a month`,
  ].filter(Boolean);
  return {
    ID: keyId,
    KEY: `${prefix}…${last4}`,
    STATUS: statusOf(record, nowMs),
    // Of a key that was rotated this is the end of its overlap.
    ENDS: isoTime(record.expiresAtMs),
    'REPLACED BY': record.replacedBy,
    'LAST USED': isoTime(record.lastUsedAtMs),
    LIMITS: limits.length > 0 ? limits.join('; ') : null,
    NAME: name,
  };
}

function statusOf(record: KeyRecord, nowMs: number): string {
  return record.status === 'active' && !isLive(record, nowMs) ? 'expired' : record.status;
}
