import { type Command, Option } from 'commander';
import { type EndpointName, isLive, type KeyRecord, type OwnKey } from '../access/key-store';
import { type CreatedKey, createKey, type KeyDeps, type NewKey, revokeKey, rotateKey } from '../access/keys';
import { OVERLAPS_MS } from '../api/dashboard/key-schemas';
import { isRefusal, type Refusal } from '../errors';
import { isoTime } from '../lib/clock';
import type { Services } from '../services';
import {
  type Ask,
  dollars,
  fromNow,
  listOf,
  type Moment,
  type Operation,
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
    .option('--expires <WHEN>', 'hours or days from now (12h, 90d), or a date such as 2027-01-31', fromNow)
    .option('--models <LIST>', 'ids of models, separated by commas; * stands for any characters', listOf)
    .option('--endpoints <LIST>', 'of chat.completions, responses, evaluations, runs, usage, models', listOf)
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
    .description('replace a key by a new one with the same name, expiry and limits')
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

async function create({ container, options }: Operation<NewKeyOptions>): Promise<Output> {
  const wanted = newKey(options, container.clock.nowMs());
  const created = orExplain(await createKey(keyDeps(container), wanted), wanted.userId);
  return { data: createdView(created), text: createdText(created) };
}

async function list({ container: { store, clock }, options }: Operation<{ user: string }>): Promise<Output> {
  const keys = await store.listKeys(options.user);
  const nowMs = clock.nowMs();
  const data = keys.map((record) => keyView(record, nowMs));
  return { data, text: data.length > 0 ? textTable(data) : 'no keys' };
}

async function rotate({ container, options, ask }: Operation<{ id: string; overlap?: string }>): Promise<Output> {
  const given = options.overlap;
  const old = await keyOfAnyone(container, options.id);
  const asked = given === undefined && ask !== undefined && old.userId !== '' ? await askOverlap(ask) : undefined;
  const overlap = given ?? asked ?? NO_OVERLAP;
  const overlapMs = OVERLAPS.get(overlap) ?? 0;
  const created = orExplain(await rotateKey(keyDeps(container), { ...old, overlapMs }), old.userId);
  const endsAt = isoTime((await container.store.findKey(old.keyId))?.expiresAtMs ?? null);
  const choice = given === undefined && asked === undefined ? `${overlap}, the default` : overlap;
  const fate = overlapMs === 0 ? 'works no more' : `works until ${endsAt}`;
  return {
    data: { ...createdView(created), replaces: old.keyId, overlap, oldKeyEndsAt: endsAt },
    text: `${createdText(created)}\nThe old key ${old.keyId} ${fate} (overlap ${choice}).`,
  };
}

async function revoke({ container, options: { id } }: Operation<{ id: string }>): Promise<Output> {
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
async function keyOfAnyone({ store }: Services, keyId: string): Promise<OwnKey> {
  const found = await store.findKey(keyId);
  return { keyId, userId: found?.userId ?? '' };
}

function keyDeps(container: Services): KeyDeps {
  const { keyPrefix, requestsPerMinute } = container.config;
  return { ...container, keyPrefix, requestsPerMinute, actor: 'cli' };
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

function newKey({ user, name, expires, models, endpoints, rpm, budget }: NewKeyOptions, nowMs: number): NewKey {
  return {
    userId: user,
    name,
    expiresAtMs: expires?.(nowMs) ?? null,
    ...(models && { models }),
    // Unknown names are refused by name where the key is made.
    ...(endpoints && { endpoints: endpoints as EndpointName[] }),
    ...(rpm !== undefined && { requestsPerMinute: rpm }),
    ...(budget !== undefined && { budgetNanoUsd: budget }),
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
  const { keyId: id, name, prefix, last4, replacedBy, pepperVersion, budgetNanoUsd } = record;
  const { models = null, endpoints = null, requestsPerMinute = null } = record;
  return {
    id,
    prefix,
    last4,
    status: statusOf(record, nowMs),
    createdAt: isoTime(record.createdAtMs),
    expiresAt: isoTime(record.expiresAtMs),
    lastUsedAt: isoTime(record.lastUsedAtMs),
    replacedBy,
    pepperVersion,
    requestsPerMinute,
    budgetUsd: budgetNanoUsd === undefined ? null : budgetNanoUsd / 1e9,
    endpoints,
    models,
    name,
  };
}

function statusOf(record: KeyRecord, nowMs: number): string {
  return record.status === 'active' && !isLive(record, nowMs) ? 'expired' : record.status;
}
