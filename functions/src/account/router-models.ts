import { isSlug, ROUTER_MODELS_MAX, type RouterCatalog, type RouterModel } from '../byok/router-models';
import { isRefusal, type Refusal, refuse } from '../errors';
import type { Clock } from '../lib/clock';
import type { Log } from '../lib/log';
import type { RouterModelRecord, RouterModelStore } from '../store/byok-store';
import type { SubscriptionStore } from '../store/store';
import { requireByok } from './plan';

/** What the management of router models works with. */
export interface RouterModelDesk {
  readonly store: RouterModelStore & SubscriptionStore;
  readonly routerCatalog: RouterCatalog;
  readonly clock: Clock;
  readonly log: Log;
}

/** Of a user's own words, no more than this is repeated in a refusal. */
const ECHO_CHARACTERS_MAX = 100;

/**
 * Adds models by their router slugs, all or none, with the names and flags of the router's own list; returns all of the
 * user's models. One that was added before is brought up to date. Refuses what is no slug, what the router does not
 * list, and more than 100 in all.
 */
export async function addRouterModels(
  desk: RouterModelDesk,
  { userId, slugs }: { readonly userId: string; readonly slugs: readonly string[] },
): Promise<RouterModelRecord[] | Refusal> {
  const plan = await requireByok(desk.store, userId);
  if (isRefusal(plan)) return plan;
  const tooMany = refuse('invalid_request', `Too many router models: at most ${ROUTER_MODELS_MAX} may be added`);
  if (slugs.length > ROUTER_MODELS_MAX) return tooMany;
  const found = await lookUp(desk, slugs);
  if (isRefusal(found)) return found;
  const addedAtMs = desk.clock.nowMs();
  const records = found.map((model) => ({ ...model, addedAtMs }));
  const added = await desk.store.addRouterModels(userId, records, ROUTER_MODELS_MAX);
  return added ? desk.store.listRouterModels(userId) : tooMany;
}

/** Removes a model, whatever the user's subscription; false when it was not there. */
export function removeRouterModel(
  { store }: Pick<RouterModelDesk, 'store'>,
  { userId, slug }: { readonly userId: string; readonly slug: string },
): Promise<boolean> {
  return store.removeRouterModel(userId, slug);
}

async function lookUp(
  { routerCatalog, log }: RouterModelDesk,
  slugs: readonly string[],
): Promise<readonly RouterModel[] | Refusal> {
  const wrong = slugs.find((slug) => !isSlug(slug));
  if (wrong !== undefined) {
    return refuse('invalid_request', `Invalid model ${echo(wrong)}: must be a router slug of the form owner/model`);
  }
  let listed: ReadonlyMap<string, RouterModel>;
  try {
    listed = await routerCatalog.models();
  } catch (error) {
    log.routerModelsFailed(error);
    return refuse('internal', "The router's list of models cannot be read just now: try again later");
  }
  const unknown = slugs.find((slug) => !listed.has(slug));
  if (unknown !== undefined) return refuse('invalid_request', `Unknown model ${echo(unknown)}: the router has none`);
  return slugs.flatMap((slug) => listed.get(slug) ?? []);
}

function echo(text: string): string {
  return JSON.stringify(text.slice(0, ECHO_CHARACTERS_MAX));
}
