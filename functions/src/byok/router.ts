import * as z from 'zod';
import { byUser, newAct } from '../access/act';
import { requireByok, type SubscriptionStore } from '../access/subscription';
import { isRefusal, type Refusal, refuse } from '../errors';
import type { Clock } from '../lib/clock';
import type { Log } from '../lib/log';
import { type ModelRow, thinkingHabits } from '../models/catalog';
import type { RouterKeyRecord, RouterKeyStore, RouterModelRecord, RouterModelStore } from './byok-store';
import { type KeyRing, open, seal } from './secret-box';

export const ROUTER_MODELS_MAX = 100;
const SLUG = /^[a-z0-9._-]+\/[a-z0-9._:-]+$/;
const SLUG_CHARACTERS_MAX = 200;
const NAME_CHARACTERS_MAX = 200;
const ECHO_CHARACTERS_MAX = 100;

export type RouterModel = Omit<RouterModelRecord, 'addedAtMs'>;

export interface RouterCatalog {
  /** Throws when the router cannot be asked and nothing is remembered. */
  models(): Promise<ReadonlyMap<string, RouterModel>>;
}

export interface RouterDeps {
  readonly store: RouterKeyStore & RouterModelStore & SubscriptionStore;
  /** Empty where `ROUTER_KEY_SECRET` is not set: nothing can be saved then. Read only when needed: it may be made then. */
  readonly keyRing: KeyRing;
  readonly routerCatalog: RouterCatalog;
  readonly clock: Clock;
  readonly log: Log;
  readonly network?: string;
}

/** Adds models by their router slugs, all or none, as the router's own list describes them; returns all of the user's models. */
export async function addRouterModels(
  deps: RouterDeps,
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

/** Only what is asked of an entry; anything else in it, and whatever does not fit, is passed over. */
const entrySchema = z.object({
  id: z.string().max(SLUG_CHARACTERS_MAX).regex(SLUG),
  name: z.string().catch(''),
  context_length: z.int().positive().nullable().catch(null),
  architecture: z.object({ input_modalities: z.array(z.unknown()) }).catch({ input_modalities: [] }),
  supported_parameters: z.array(z.unknown()).catch([]),
});
const listSchema = z.object({ data: z.array(z.unknown()) });

/** The models of the body of the router's `GET /models`; entries that are none are left out. Throws when it is no list. */
export function parseRouterModels(body: unknown): ReadonlyMap<string, RouterModel> {
  const models = listSchema.parse(body).data.flatMap((entry): RouterModel[] => {
    const { success, data } = entrySchema.safeParse(entry);
    if (!success) return [];
    const { id: slug, name, context_length: contextTokens, architecture, supported_parameters } = data;
    const vision = architecture.input_modalities.includes('image');
    const tools = supported_parameters.includes('tools');
    return [{ slug, name: plainName(name) || slug, contextTokens, vision, tools }];
  });
  return new Map(models.map((model) => [model.slug, model]));
}

/** The router's own models whose slug or name holds these words, at most `max`, by slug; a refusal where it does not answer. */
export async function searchRouterModels(
  deps: Pick<RouterDeps, 'routerCatalog' | 'log'>,
  { words, max }: { readonly words: string; readonly max: number },
): Promise<readonly RouterModel[] | Refusal> {
  const listed = await modelsOfRouter(deps);
  if (isRefusal(listed)) return listed;
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
  const found = [...listed.values()].filter(({ slug, name }) => {
    const text = `${slug} ${name}`.toLowerCase();
    return wanted.every((word) => text.includes(word));
  });
  return found.sort((a, b) => (a.slug < b.slug ? -1 : 1)).slice(0, max);
}

async function modelsOfRouter({ routerCatalog, log }: Pick<RouterDeps, 'routerCatalog' | 'log'>) {
  try {
    return await routerCatalog.models();
  } catch (error) {
    log.warn('no list of router models', {}, error);
    return refuse('internal', "The router's list of models cannot be read just now: try again later");
  }
}

async function lookUp(deps: RouterDeps, slugs: readonly string[]): Promise<readonly RouterModel[] | Refusal> {
  const wrong = slugs.find((slug) => slug.length > SLUG_CHARACTERS_MAX || !SLUG.test(slug));
  if (wrong !== undefined) {
    return refuse('invalid_request', `Invalid model ${echo(wrong)}: must be a router slug of the form owner/model`);
  }
  const listed = await modelsOfRouter(deps);
  if (isRefusal(listed)) return listed;
  const unknown = slugs.find((slug) => !listed.has(slug));
  if (unknown !== undefined) return refuse('invalid_request', `Unknown model ${echo(unknown)}: the router has none`);
  return slugs.flatMap((slug) => listed.get(slug) ?? []);
}

function echo(text: string): string {
  return JSON.stringify(text.slice(0, ECHO_CHARACTERS_MAX));
}

/** Names are shown to people and written into prompts and status lines: one line, nothing invisible. */
function plainName(name: string): string {
  const line = name.toWellFormed().replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ');
  return line.trim().slice(0, NAME_CHARACTERS_MAX).toWellFormed();
}

export type SavedRouterKey = Pick<RouterKeyRecord, 'last4' | 'createdAtMs'>;

/** Printable ASCII without spaces: what may stand in a header. A key of eight characters still hides half of them. */
const KEY_SHAPE = /^[\x21-\x7e]{8,512}$/;

/** Saves a user's router key, sealed, in the place of the one before; surrounding blanks are not part of it. */
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
  const saved: SavedRouterKey = { last4: key.slice(-4), createdAtMs: clock.nowMs() };
  const details = { last4: saved.last4 };
  const act = newAct(clock, { ...byUser(deps), name: 'router_key.save', userId, details });
  await store.putRouterKey({ userId, enc: seal(key, { userId, ring }, clock), ...saved }, act);
  return saved;
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
  deps: Omit<RouterDeps, 'routerCatalog'>,
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
