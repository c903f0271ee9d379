import { readConfig } from '../config';
import { type Container, createContainer } from '../container';
import { parseRange, usageBodyOf } from '../endpoints/usage';
import { isRefusal, type Refusal } from '../errors';
import { type Act, newAct } from '../guard/act';
import { type EndpointName, isLive, type KeyRecord, type OwnKey } from '../guard/key-store';
import { type CreatedKey, createKey, type KeyDeps, type NewKey, revokeKey, rotateKey, userFlaw } from '../keys/keys';
import { formatUsd } from '../lib/usd';
import { backUpEmbeddedStore } from '../store/embedded/backup';
import { setBudget, showBudget } from './budgets';
import type { Output } from './output';
import {
  chosen,
  dollars,
  futureTime,
  listed,
  type Options,
  pastTime,
  required,
  UsageError,
  wholeNumber,
} from './parse-options';

type Command = (container: Container, options: Options) => Promise<Output>;

/** How long a rotated key works on, milliseconds. */
const OVERLAPS: ReadonlyMap<string, number> = new Map([
  ['0', 0],
  ['1h', 3_600_000],
  ['24h', 86_400_000],
  ['7d', 604_800_000],
]);

/** Acts listed at most. */
const ACTS_MAX = 1_000;

/** See `docs/api.md`, Subscriptions. */
const STATUSES: readonly string[] = [
  'active',
  'trialing',
  'past_due',
  'canceled',
  'unpaid',
  'paused',
  'incomplete',
  'incomplete_expired',
];

const COMMANDS: Readonly<Record<string, Command>> = {
  'keys create': async (container, options) => {
    const wanted = newKey(options, container.clock.nowMs());
    return createdOutput(orThrow(await createKey(keyDeps(container), wanted)));
  },
  'keys list': async ({ store, clock }, options) => {
    const keys = await store.listKeys(required(options, 'user'));
    const nowMs = clock.nowMs();
    const lines = keys.map((record) => keyLine(record, nowMs));
    return { data: keys.map((record) => keyView(record, nowMs)), text: lines.join('\n') || 'no keys' };
  },
  'keys rotate': async (container, options) => {
    const overlapMs = chosen(options, 'overlap', OVERLAPS) ?? 0;
    const key = await keyOfAnyone(container, required(options, 'id'));
    return createdOutput(orThrow(await rotateKey(keyDeps(container), { ...key, overlapMs })));
  },
  'keys revoke': async (container, options) => {
    const id = required(options, 'id');
    orThrow(await revokeKey(keyDeps(container), await keyOfAnyone(container, id)));
    return { data: { id, status: 'revoked' }, text: `${id} is revoked` };
  },
  'store backup': async ({ config }, options) => {
    const file = required(options, 'to');
    if (config.store !== 'embedded')
      throw new UsageError('store backup copies the embedded store only: docs/deploy.md');
    const pages = await backUpEmbeddedStore(config.dataDirectory, file);
    return {
      data: { file, pages },
      text: `${file}: ${pages} pages. Keep key-pepper and router-key-secret apart from it`,
    };
  },
  'subscriptions set': async ({ store, clock }, options) => {
    const userId = required(options, 'user');
    const tier = required(options, 'tier');
    const status = required(options, 'status');
    if (!STATUSES.includes(status)) throw new UsageError(`--status must be one of ${STATUSES.join(', ')}`);
    orThrow(userFlaw(userId));
    const statement = { userId, tier, status, sourceUpdatedAtMs: clock.nowMs() };
    const act = newAct(clock, { actor: 'cli', name: 'subscriptions.set', userId, details: { tier, status } });
    const applied = await store.putSubscription(statement, act);
    if (!applied) throw new Error(`a newer subscription of ${userId} is already stored`);
    return { data: { user: userId, tier, status }, text: `${userId}: ${tier}, ${status}` };
  },
  'subscriptions show': async ({ store }, options) => {
    const userId = required(options, 'user');
    const subscription = await store.getSubscription(userId);
    if (!subscription) throw new Error(`${userId} has no subscription`);
    const { tier, status, sourceUpdatedAtMs } = subscription;
    const data = { user: userId, tier, status, updatedAt: new Date(sourceUpdatedAtMs).toISOString() };
    return { data, text: `${userId}: ${tier}, ${status}` };
  },
  'budgets set': setBudget,
  'budgets show': showBudget,
  'audit list': async ({ store, clock }, options) => {
    const user = options['user'] === undefined ? {} : { userId: required(options, 'user') };
    const sinceMs = pastTime(options, 'since', clock.nowMs()) ?? 0;
    // One more than is shown tells whether there are more.
    const acts = await store.listActs({ ...user, sinceMs, max: ACTS_MAX + 1 });
    const hasMore = acts.length > ACTS_MAX;
    const shown = acts.slice(0, ACTS_MAX);
    const lines = shown.map(actLine);
    if (hasMore) lines.push(`only the newest ${ACTS_MAX} are listed: use --user`);
    return { data: { data: shown.map(actView), has_more: hasMore }, text: lines.join('\n') || 'no acts' };
  },
  'usage show': async (container, options) => {
    const query = new URLSearchParams();
    if (options['start'] !== undefined) query.set('start_date', options['start']);
    if (options['end'] !== undefined) query.set('end_date', options['end']);
    const range = orThrow(parseRange(query, container.clock.nowMs()));
    const data = await usageBodyOf(container, required(options, 'user'), range);
    return { data, text: JSON.stringify(data, null, 2) };
  },
};

const HELP = `usage: npm run admin -- <command> [options]

  keys create --user U --name N [--expires 90d] [--models "gpt-*,claude-*"] [--endpoints chat.completions,models]
              [--rpm 10] [--budget 5]
  keys list --user U
  keys rotate --id ID [--overlap 0|1h|24h|7d]
  keys revoke --id ID
  subscriptions set --user U --tier pro --status active
  subscriptions show --user U
  budgets set (--user U | --deployment) --monthly 50|none
  budgets show (--user U | --deployment)
  usage show --user U [--start D] [--end D]
  audit list [--user U] [--since 7d]
  store backup --to FILE

options: --json  one JSON value on stdout;  --store embedded|firestore`;

/** Runs one command against the configured store; throws with a readable message when it cannot be done. */
export async function runCommand(words: readonly string[], options: Options): Promise<Output> {
  if (words.length === 0) return { data: HELP, text: HELP };
  const name = words.join(' ');
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (!command) throw new UsageError(`unknown command: ${name}\n\n${HELP}`);
  const container = createContainer(readConfig({ ...process.env, LOG_LEVEL: 'error' }));
  try {
    return await command(container, options);
  } finally {
    await container.store.close();
  }
}

/** The operator names keys alone: whose they are is looked up. */
async function keyOfAnyone({ store }: Container, keyId: string): Promise<OwnKey> {
  const found = await store.findKey(keyId);
  return { keyId, userId: found?.userId ?? '' };
}

function keyDeps(container: Container): KeyDeps {
  const { config } = container;
  return { ...container, keyPrefix: config.keyPrefix, requestsPerMinute: config.requestsPerMinute, actor: 'cli' };
}

function orThrow<T>(result: T | Refusal): T {
  if (isRefusal(result)) throw new Error(result.text);
  return result;
}

function createdOutput({ key, record }: CreatedKey): Output {
  const { keyId: id, name, prefix, last4 } = record;
  return { data: { id, key, name, prefix, last4 }, text: `${key}\n(id ${id}; shown only this once)` };
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

function keyLine(record: KeyRecord, nowMs: number): string {
  const { keyId, name, prefix, last4, expiresAtMs, models, endpoints, requestsPerMinute, budgetNanoUsd } = record;
  const limits = [
    expiresAtMs !== null && `expires ${isoTime(expiresAtMs)}`,
    models && `models ${models.join(',')}`,
    endpoints && `endpoints ${endpoints.join(',')}`,
    requestsPerMinute !== undefined && `${requestsPerMinute} requests a minute`,
    budgetNanoUsd !== undefined && `${formatUsd(budgetNanoUsd)} a month`,
  ];
  return [keyId, `${prefix}…${last4}`, statusOf(record, nowMs), name, ...limits.filter(Boolean)].join('  ');
}

function statusOf(record: KeyRecord, nowMs: number): string {
  return record.status === 'active' && !isLive(record, nowMs) ? 'expired' : record.status;
}

function actView({ atMs, actor, name, userId, target, details }: Act) {
  return { at: isoTime(atMs), actor, act: name, user: userId, target, details };
}

function actLine({ atMs, actor, name, userId, target, details }: Act): string {
  const said = Object.entries(details).filter(([, value]) => value !== null);
  const words = said.map(([field, value]) => `${field}=${value}`);
  return [isoTime(atMs), actor, name, userId, target, ...words].filter(Boolean).join('  ');
}

function isoTime(timeMs: number | null): string | null {
  return timeMs === null ? null : new Date(timeMs).toISOString();
}
