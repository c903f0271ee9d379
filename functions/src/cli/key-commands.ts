import { type Command, Option } from 'commander';
import { isLive } from '../access/key-state';
import { ENDPOINT_NAMES, type EndpointName, type KeyRecord, type OwnKey } from '../access/key-store';
import { type CreatedKey, createKey, type KeyDeps, type NewKey, revokeKey, rotateKey } from '../access/keys';
import { OVERLAPS_MS } from '../api/dashboard/keys';
import { isRefusal, type Refusal } from '../errors';
import { originOf } from '../ledger/ledger-store';
import { monthOf } from '../ledger/month';
import { isoTime } from '../lib/clock';
import { usd } from '../lib/usd';
import type { Services } from '../services';
import {
  type Ask,
  dollars,
  fromNow,
  listOf,
  type Moment,
  type Output,
  orThrow,
  type Perform,
  text,
  USER,
  wholeNumber,
} from './command';
import { textTable } from './output';

/** Milliseconds for which a rotated key works on. */
const OVERLAPS: ReadonlyMap<string, number> = new Map(Object.entries(OVERLAPS_MS));
const ID = ['--id <ID>', 'the id of a key, as `keys list` shows it', text] as const;
const NO_OVERLAP = '0';
const QUESTION = `How long shall the old key work on (${[...OVERLAPS.keys()].join(', ')})? [${NO_OVERLAP}] `;

const CREATE_NOTE = `
The user needs an active Pro subscription: see \`subscriptions set\`. An example:
  npm run admin -- keys create --user alice --name ci --expires 90d --models "gpt-*" --rpm 10 --budget 5`;
const ROTATE_NOTE = `
Without --overlap it asks where somebody sits before a terminal; elsewhere the overlap is 0, and the old key
stops working at once. What was done is printed with the new key.`;

/** Fields of keys that have another name on the command line. */
const OPTIONS = { expiresAt: '--expires', requestsPerMinute: '--rpm', budgetUsd: '--budget' };
const FIELD = /(?<=^Invalid )(?:expiresAt|requestsPerMinute|budgetUsd)\b/;

interface NewKeyOptions extends Pick<NewKey, 'name' | 'models'> {
  readonly user: string;
  readonly expires?: Moment;
  readonly endpoints?: string[];
  readonly rpm?: number;
  readonly budget?: number;
}

export function addKeyCommands(program: Command, perform: Perform): void {
  const keys = program.command('keys').description('make, list, rotate and revoke API keys');
  keys
    .command('create')
    .description('make an API key and print it, this once')
    .requiredOption(...USER)
    .requiredOption('--name <N>', 'what the key is called in usage reports', text)
    .option('--expires <WHEN>', 'hours or days from now (12h, 90d), or a date such as 2027-01-31', (when) =>
      fromNow(when),
    )
    .option('--models <LIST>', 'ids of models, separated by commas; * stands for any characters', listOf)
    .option('--endpoints <LIST>', `of ${ENDPOINT_NAMES.join(', ')}`, listOf)
    .option('--rpm <N>', 'requests in any 60 seconds, up to the limit of a user', wholeNumber)
    .option('--budget <USD>', 'US dollars in a UTC month', dollars)
    .addHelpText('after', CREATE_NOTE)
    .action(perform(create));
  keys
    .command('list')
    .description('list the keys of a user, newest first')
    .requiredOption(...USER)
    .action(perform(list));
  keys
    .command('rotate')
    .description('replace a key by a new one with the same name, expiry, limits and spending')
    .requiredOption(...ID)
    .addOption(new Option('--overlap <TIME>', 'how long the old key works on').choices([...OVERLAPS.keys()]))
    .addHelpText('after', ROTATE_NOTE)
    .action(perform(rotate));
  keys
    .command('revoke')
    .description('end a key at once and for good')
    .requiredOption(...ID)
    .action(perform(revoke));
}

async function create(services: Services, options: NewKeyOptions): Promise<Output> {
  const { user: userId, name, expires, models, endpoints, rpm, budget } = options;
  const created = await createKey(keyDeps(services), {
    ...{ userId, name, expiresAtMs: expires?.(services.clock.nowMs()) ?? null },
    ...(models && { models }),
    // Unknown names are refused by name where the key is made.
    ...(endpoints && { endpoints: endpoints as EndpointName[] }),
    ...(rpm !== undefined && { requestsPerMinute: rpm }),
    ...(budget !== undefined && { budgetNanoUsd: budget }),
  });
  return shown(orExplain(created, userId));
}

async function list({ store, clock }: Services, { user }: { user: string }): Promise<Output> {
  const nowMs = clock.nowMs();
  const { keysNanoUsd } = await store.readSpend({ userId: user, month: monthOf(nowMs) });
  const data = (await store.listKeys(user)).map((record) => {
    return keyView(record, { nowMs, spentNanoUsd: keysNanoUsd.get(originOf(record)) ?? 0 });
  });
  return { data, text: data.length > 0 ? textTable(data) : 'no keys' };
}

async function rotate(services: Services, options: { id: string; overlap?: string }, ask?: Ask): Promise<Output> {
  const given = options.overlap;
  const old = await keyOfAnyone(services, options.id);
  const asked = given === undefined && ask !== undefined && old.userId !== '' ? await askOverlap(ask) : undefined;
  const overlap = given ?? asked ?? NO_OVERLAP;
  const overlapMs = OVERLAPS.get(overlap) ?? 0;
  const created = shown(orExplain(await rotateKey(keyDeps(services), { ...old, overlapMs }), old.userId));
  const endsAt = isoTime((await services.store.findKey(old.keyId))?.expiresAtMs ?? null);
  const choice = given === undefined && asked === undefined ? `${overlap}, the default` : overlap;
  const fate = overlapMs === 0 ? 'works no more' : `works until ${endsAt}`;
  return {
    data: { ...created.data, replaces: old.keyId, overlap, oldKeyEndsAt: endsAt },
    text: `${created.text}\nThe old key ${old.keyId} ${fate} (overlap ${choice}).`,
  };
}

async function revoke(services: Services, { id }: { id: string }): Promise<Output> {
  orThrow(await revokeKey(keyDeps(services), await keyOfAnyone(services, id)));
  return { data: { id, status: 'revoked' }, text: `${id} is revoked` };
}

async function askOverlap(ask: Ask): Promise<string> {
  for (;;) {
    const answer = (await ask(QUESTION)).trim() || NO_OVERLAP;
    if (OVERLAPS.has(answer)) return answer;
  }
}

/** The operator names keys alone: whose they are is looked up. */
async function keyOfAnyone({ store }: Services, keyId: string): Promise<OwnKey> {
  const found = await store.findKey(keyId);
  return { keyId, userId: found?.userId ?? '' };
}

function keyDeps(services: Services): KeyDeps {
  const { keyPrefix, requestsPerMinute } = services.config;
  return { ...services, keyPrefix, requestsPerMinute, actor: 'cli' };
}

/** The API tells a user to upgrade; an operator is told how that is done. */
function orExplain(result: CreatedKey | Refusal, userId: string): CreatedKey {
  if (!isRefusal(result)) return result;
  if (result.code !== 'no_subscription') {
    throw new Error(result.text.replace(FIELD, (field) => OPTIONS[field as keyof typeof OPTIONS]));
  }
  const set = `npm run admin -- subscriptions set --user ${JSON.stringify(userId)} --tier pro --status active`;
  throw new Error(`user ${userId} has no active Pro subscription in this store: ${set}`);
}

function shown({ key, record }: CreatedKey) {
  const { keyId: id, name, prefix, last4, expiresAtMs } = record;
  const expiry = expiresAtMs === null ? 'does not expire' : `expires ${isoTime(expiresAtMs)}`;
  return { data: { id, key, name, prefix, last4 }, text: `${key}\n(id ${id}; ${expiry}; shown only this once)` };
}

function keyView(record: KeyRecord, { nowMs, spentNanoUsd }: { nowMs: number; spentNanoUsd: number }) {
  const { keyId: id, name, prefix, last4, replacedBy, pepperVersion, budgetNanoUsd } = record;
  const { models = null, endpoints = null, requestsPerMinute = null } = record;
  return {
    ...{ id, prefix, last4 },
    status: record.status === 'active' && !isLive(record, nowMs) ? 'expired' : record.status,
    createdAt: isoTime(record.createdAtMs),
    expiresAt: isoTime(record.expiresAtMs),
    lastUsedAt: isoTime(record.lastUsedAtMs),
    ...{ replacedBy, pepperVersion, requestsPerMinute },
    budgetUsd: budgetNanoUsd === undefined ? null : usd(budgetNanoUsd),
    spentUsd: usd(spentNanoUsd),
    ...{ endpoints, models, name },
  };
}
