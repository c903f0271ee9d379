import { readConfig } from '../config';
import { type Container, createContainer } from '../container';
import { parseRange, usageBodyOf } from '../endpoints/usage';
import { isRefusal, type Refusal } from '../errors';
import { isLive, type KeyRecord } from '../guard/key-store';
import { type CreatedKey, createKey, type KeyDeps, revokeKey, rotateKey } from '../keys/keys';

/** What a command prints: `data` with `--json`, else `text`. */
export interface Output {
  readonly data: unknown;
  readonly text: string;
}

/** The command line cannot be understood; the message says how it should read. */
export class UsageError extends Error {}

/** The options given, by name. */
export type Options = Readonly<Record<string, string | undefined>>;

type Command = (container: Container, options: Options) => Promise<Output>;

const OVERLAPS: Readonly<Record<string, number>> = { '0': 0, '1h': 3_600_000, '24h': 86_400_000, '7d': 604_800_000 };

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
    const owner = { userId: required(options, 'user'), name: required(options, 'name') };
    return createdOutput(orThrow(await createKey(keyDeps(container), owner)));
  },
  'keys list': async ({ store, clock }, options) => {
    const keys = (await store.listKeys(required(options, 'user'))).map((record) => keyView(record, clock.nowMs()));
    const lines = keys.map(({ id, name, prefix, last4, status }) => `${id}  ${prefix}…${last4}  ${status}  ${name}`);
    return { data: keys, text: lines.join('\n') || 'no keys' };
  },
  'keys rotate': async (container, options) => {
    const overlap = options['overlap'] ?? '0';
    const overlapMs = OVERLAPS[overlap];
    if (overlapMs === undefined) throw new UsageError(`--overlap must be one of ${Object.keys(OVERLAPS).join(', ')}`);
    return createdOutput(orThrow(await rotateKey(keyDeps(container), required(options, 'id'), overlapMs)));
  },
  'keys revoke': async (container, options) => {
    const id = required(options, 'id');
    orThrow(await revokeKey(container, id));
    return { data: { id, status: 'revoked' }, text: `${id} is revoked` };
  },
  'subscriptions set': async ({ store, clock }, options) => {
    const userId = required(options, 'user');
    const tier = required(options, 'tier');
    const status = required(options, 'status');
    if (!STATUSES.includes(status)) throw new UsageError(`--status must be one of ${STATUSES.join(', ')}`);
    const applied = await store.putSubscription({ userId, tier, status, sourceUpdatedAtMs: clock.nowMs() });
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

  keys create --user U --name N
  keys list --user U
  keys rotate --id ID [--overlap 0|1h|24h|7d]
  keys revoke --id ID
  subscriptions set --user U --tier pro --status active
  subscriptions show --user U
  usage show --user U [--start D] [--end D]

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

function keyDeps(container: Container): KeyDeps {
  return { ...container, keyPrefix: container.config.keyPrefix };
}

function required(options: Options, name: string): string {
  const value = options[name]?.trim();
  if (!value) throw new UsageError(`--${name} is required`);
  return value;
}

function orThrow<T>(result: T | Refusal): T {
  if (isRefusal(result)) throw new Error(result.text);
  return result;
}

function createdOutput({ key, record }: CreatedKey): Output {
  const { keyId: id, name, prefix, last4 } = record;
  return { data: { id, key, name, prefix, last4 }, text: `${key}\n(id ${id}; shown only this once)` };
}

function keyView(record: KeyRecord, nowMs: number) {
  const { keyId: id, name, prefix, last4, replacedBy } = record;
  const expired = record.status === 'active' && !isLive(record, nowMs);
  return {
    id,
    name,
    prefix,
    last4,
    status: expired ? 'expired' : record.status,
    createdAt: isoTime(record.createdAtMs),
    expiresAt: isoTime(record.expiresAtMs),
    lastUsedAt: isoTime(record.lastUsedAtMs),
    replacedBy,
  };
}

function isoTime(timeMs: number | null): string | null {
  return timeMs === null ? null : new Date(timeMs).toISOString();
}
