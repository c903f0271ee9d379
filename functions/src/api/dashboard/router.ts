import * as z from 'zod';
import type { RouterModelRecord } from '../../byok/byok-store';
import { removeRouterKey, type SavedRouterKey, saveRouterKey, showRouterKey } from '../../byok/router-keys';
import {
  addRouterModels,
  ROUTER_MODELS_MAX,
  type RouterModel,
  removeRouterModel,
  searchRouterModels,
} from '../../byok/router-models';
import { isRefusal, refuse } from '../../errors';
import type { Reply } from '../../http/reply';
import type { AccountRequest, AccountRoute } from '../../http/route';
import { isoTime } from '../../lib/iso-time';
import { readBody } from '../read-body';
import { withNotes } from '../schema-notes';
import { listOf, objectOf } from '../schemas';
import { type AccountDeps, depsOf } from './account-deps';

/** What a search gives at most. */
const FOUND_MAX = 50;
const WORDS_CHARACTERS_MAX = 200;

/** The body of `PUT /dashboard/router-key`. */
export const routerKeySchema = withNotes(objectOf({ key: z.string('must be a string') }), {
  fields: { key: 'The key of the model router; it is never shown again.' },
});

/** The body of `POST /dashboard/router-models`. */
export const routerModelsSchema = withNotes(
  objectOf({ slugs: listOf(z.string('must be a string'), { rule: 'must be a list of router slugs', min: 1 }) }),
  { fields: { slugs: 'As the router names its models: `owner/model`. All are added, or none.' } },
);

/** Bring your own key: the router key, of which the last four characters are shown, and the router's models. */
export function routerRoutes(deps: AccountDeps): AccountRoute[] {
  const key = '/dashboard/router-key';
  const models = '/dashboard/router-models';
  return [
    { method: 'GET', path: key, handle: ({ userId }) => showKey(deps, userId) },
    { method: 'PUT', path: key, recent: true, handle: (request) => saveKey(deps, request) },
    { method: 'DELETE', path: key, recent: true, handle: (request) => removeKey(deps, request) },
    { method: 'GET', path: models, handle: ({ userId }) => listModels(deps, userId) },
    { method: 'POST', path: models, handle: (request) => addModels(deps, request) },
    { method: 'DELETE', path: `${models}/{id}`, handle: (request) => removeModel(deps, request) },
    { method: 'GET', path: '/dashboard/router-catalog', handle: ({ query }) => search(deps, query.get('q') ?? '') },
  ];
}

async function showKey({ store }: AccountDeps, userId: string): Promise<Reply> {
  return savedKey(await showRouterKey(store, userId));
}

async function saveKey(deps: AccountDeps, request: AccountRequest): Promise<Reply> {
  const body = await readBody(request, routerKeySchema);
  if (isRefusal(body)) return body;
  const saved = await saveRouterKey(depsOf(deps, request), { userId: request.userId, key: body.key });
  return isRefusal(saved) ? saved : savedKey(saved);
}

async function removeKey(deps: AccountDeps, request: AccountRequest): Promise<Reply> {
  const removed = await removeRouterKey(depsOf(deps, request), request.userId);
  return removed ? savedKey(undefined) : refuse('not_found', 'No router key is saved');
}

function savedKey(saved: SavedRouterKey | undefined): Reply {
  return { body: { saved: saved ? { last4: saved.last4, savedAt: isoTime(saved.createdAtMs) } : null } };
}

async function listModels({ store }: AccountDeps, userId: string): Promise<Reply> {
  return modelsReply(await store.listRouterModels(userId));
}

async function addModels(deps: AccountDeps, request: AccountRequest): Promise<Reply> {
  const body = await readBody(request, routerModelsSchema);
  if (isRefusal(body)) return body;
  const { userId } = request;
  const added = await addRouterModels(depsOf(deps, request), { userId, slugs: body.slugs });
  return isRefusal(added) ? added : modelsReply(added);
}

async function removeModel(deps: AccountDeps, request: AccountRequest): Promise<Reply> {
  const { userId, resourceId: slug = '' } = request;
  const removed = await removeRouterModel(depsOf(deps, request), { userId, slug });
  return removed ? listModels(deps, userId) : refuse('not_found', 'Unknown model');
}

async function search(deps: AccountDeps, words: string): Promise<Reply> {
  if (words.length > WORDS_CHARACTERS_MAX)
    return refuse('invalid_request', `Invalid q: must have at most ${WORDS_CHARACTERS_MAX} characters`);
  const found = await searchRouterModels(deps, { words, max: FOUND_MAX });
  return isRefusal(found) ? found : { body: { models: found.map(modelBody) } };
}

function modelsReply(models: readonly RouterModelRecord[]): Reply {
  const listed = models.map((model) => ({ ...modelBody(model), addedAt: isoTime(model.addedAtMs) }));
  return { body: { models: listed, max: ROUTER_MODELS_MAX } };
}

function modelBody({ slug, name, contextTokens, vision, tools }: RouterModel): object {
  return { slug, name, contextTokens, vision, tools };
}
