import { byUser, newAct } from '../access/act';
import { requireByok, type SubscriptionStore } from '../access/subscription';
import { isRefusal, type Refusal, refuse } from '../errors';
import type { Clock } from '../lib/clock';
import type { Log } from '../lib/log';
import { type ModelRow, thinkingHabits } from '../models/catalog';
import type { KeptList, ListedModel } from '../models/own-server';
import type { RouterKeyRecord, RouterKeyStore, RouterModelRecord, RouterModelStore } from './byok-store';
import { type KeyRing, open, seal } from './secret-box';

export const ROUTER_MODELS_MAX = 100;
const SLUG = /^[a-z0-9._-]+\/[a-z0-9._:-]+$/;
const SLUG_CHARACTERS_MAX = 200;
const ECHO_CHARACTERS_MAX = 100;

export type RouterModel = Omit<RouterModelRecord, 'addedAtMs'>;

/** Verdict of the router on a key: its word for a refusal, or the reason for which it could not say. Neither: it takes the key. */
export interface RouterKeyVerdict {
  readonly refused?: string;
  readonly unchecked?: string;
}

export interface RouterDeps {
  readonly store: RouterKeyStore & RouterModelStore & SubscriptionStore;
  /** Empty where `ROUTER_KEY_SECRET` is not set: nothing can be saved then. Read only when needed: it may be made then. */
  readonly keyRing: KeyRing;
  /** The router's public list. */
  readonly routerCatalog: KeptList;
  /** Never rejects. */
  readonly checkRouterKey: (key: string) => Promise<RouterKeyVerdict>;
  readonly clock: Clock;
  readonly log: Log;
  readonly network?: string;
}

/** Adds models by their router slugs, all or none, as the router's own list describes those it has; returns all of the user's models. */
export async function addRouterModels(
  deps: Omit<RouterDeps, 'checkRouterKey'>,
  { userId, slugs }: { readonly userId: string; readonly slugs: readonly string[] },
): Promise<RouterModelRecord[] | Refusal> {
  const { store, clock } = deps;
  const subscription = await requireByok(store, userId);
  if (isRefusal(subscription)) return subscription;
  const tooMany = refuse('invalid_request', `Too many router models: at most ${ROUTER_MODELS_MAX} may be added`);
  if (slugs.length > ROUTER_MODELS_MAX) return tooMany;
  const found = await lookUp(deps, slugs);
  if (isRefusal(found)) return found;
  const addedAtMs = clock.nowMs();
  const records = found.map((model) => ({ ...model, addedAtMs }));
  const details = { slugs: slugs.join(' ') };
  const act = newAct(clock, { ...byUser(deps), name: 'router_models.add', userId, details });
  const added = await store.addRouterModels(userId, records, { max: ROUTER_MODELS_MAX, act });
  return added ? store.listRouterModels(userId) : tooMany;
}

/** Removes one of a user's router models, on any plan; resolves false when the user had not added it. */
export function removeRouterModel(
  { store, clock, network }: Pick<RouterDeps, 'store' | 'clock' | 'network'>,
  { userId, slug }: { readonly userId: string; readonly slug: string },
): Promise<boolean> {
  const act = newAct(clock, { ...byUser({ network }), name: 'router_models.remove', userId, target: slug });
  return store.removeRouterModel(userId, slug, act);
}

/** An added model as the ensemble sees it. It is priced, at nothing: the router bills its user. */
export function routerModelRow({ slug, name, contextTokens, vision, tools }: RouterModelRecord): ModelRow {
  const row = { id: slug, name, provider: 'router', providerModel: slug, contextTokens, sampling: true } as const;
  return { ...row, ...thinkingHabits(slug), vision, tools, price: { inputUsdPerMillion: 0, outputUsdPerMillion: 0 } };
}

/** The router's own models whose slug or name holds these words, at most `max`, by slug; a refusal where it does not answer. */
export async function searchRouterModels(
  deps: Pick<RouterDeps, 'routerCatalog' | 'log'>,
  { words, max }: { readonly words: string; readonly max: number },
): Promise<readonly ListedModel[] | Refusal> {
  const listed = await modelsOfRouter(deps);
  if (isRefusal(listed)) return listed;
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
  const found = [...listed.values()].filter(({ id, name }) => {
    const text = `${id} ${name}`.toLowerCase();
    return wanted.every((word) => text.includes(word));
  });
  return found.sort((a, b) => (a.id < b.id ? -1 : 1)).slice(0, max);
}

/** The models of the router's list that have a slug, by it. */
async function modelsOfRouter({ routerCatalog, log }: Pick<RouterDeps, 'routerCatalog' | 'log'>) {
  const { value, error } = await routerCatalog();
  if (value) return new Map(value.filter(({ id }) => SLUG.test(id)).map((model) => [model.id, model]));
  log.warn('no list of router models', {}, error);
  return refuse('internal', "The router's list of models cannot be read just now: try again later");
}

/** A slug that the list lacks is taken as it stands: routers serve more than they list. */
async function lookUp(
  deps: Pick<RouterDeps, 'routerCatalog' | 'log'>,
  slugs: readonly string[],
): Promise<readonly RouterModel[] | Refusal> {
  const wrong = slugs.find((slug) => slug.length > SLUG_CHARACTERS_MAX || !SLUG.test(slug));
  if (wrong !== undefined) {
    return refuse('invalid_request', `Invalid model ${echo(wrong)}: must be a router slug of the form owner/model`);
  }
  const listed = await modelsOfRouter(deps);
  if (isRefusal(listed)) return listed;
  const unknown = { contextTokens: null, vision: 'unknown', tools: 'unknown' } as const;
  return slugs.map((slug) => {
    const { name, contextTokens, vision, tools } = listed.get(slug) ?? { ...unknown, name: slug };
    return { slug, name, contextTokens, vision, tools };
  });
}

function echo(text: string): string {
  return JSON.stringify(text.slice(0, ECHO_CHARACTERS_MAX));
}

export type SavedRouterKey = Pick<RouterKeyRecord, 'last4' | 'createdAtMs'> & Pick<RouterKeyVerdict, 'unchecked'>;

/** Printable ASCII without spaces: what may stand in a header. A key of eight characters still hides half of them. */
const KEY_SHAPE = /^[\x21-\x7e]{8,512}$/;

/** Saves a user's router key, sealed, in the place of the one before, unless the router refuses it; surrounding blanks are not part of it. */
export async function saveRouterKey(
  deps: Omit<RouterDeps, 'routerCatalog'>,
  { userId, key: text }: { readonly userId: string; readonly key: string },
): Promise<SavedRouterKey | Refusal> {
  const { store, clock } = deps;
  const subscription = await requireByok(store, userId);
  if (isRefusal(subscription)) return subscription;
  const key = text.trim();
  if (!KEY_SHAPE.test(key)) {
    return refuse('invalid_request', 'Invalid key: must have 8 to 512 printable characters without spaces');
  }
  const ring = deps.keyRing;
  if (ring.length === 0) {
    return refuse('internal', 'Router keys cannot be saved here: ROUTER_KEY_SECRET is not set');
  }
  const { refused, ...checked } = await deps.checkRouterKey(key);
  if (refused !== undefined) return refuse('invalid_request', `Invalid key: the router refuses it: “${refused}”`);
  const saved = { last4: key.slice(-4), createdAtMs: clock.nowMs() };
  const details = { last4: saved.last4 };
  const act = newAct(clock, { ...byUser(deps), name: 'router_key.save', userId, details });
  await store.putRouterKey({ userId, enc: seal(key, { userId, ring }, clock), ...saved }, act);
  return { ...saved, ...checked };
}

/** Removes a user's router key, on any plan; resolves false when there was none. */
export function removeRouterKey(
  { store, clock, network }: Pick<RouterDeps, 'store' | 'clock' | 'network'>,
  userId: string,
): Promise<boolean> {
  return store.deleteRouterKey(userId, newAct(clock, { ...byUser({ network }), name: 'router_key.remove', userId }));
}

/** The key itself, for one run and nothing else. */
export async function unlockRouterKey(
  deps: Omit<RouterDeps, 'routerCatalog' | 'checkRouterKey'>,
  userId: string,
): Promise<string | Refusal> {
  const { store, clock, log } = deps;
  const record = await store.findRouterKey(userId);
  if (!record) return refuse('invalid_request', 'No router key is saved: save yours before using router models');
  const owner = { userId, ring: deps.keyRing };
  const key = open(record.enc, owner);
  if (key === undefined) {
    log.error('router key cannot be opened', { userId, kid: record.enc.kid });
    return refuse('invalid_request', 'The saved router key can no longer be read: save it again');
  }
  if (record.enc.kid !== owner.ring[0]?.kid) {
    await store
      .resealRouterKey(userId, record.enc, seal(key, owner, clock))
      .catch((error: unknown) => log.warn('reseal failed', { userId }, error));
  }
  return key;
}
