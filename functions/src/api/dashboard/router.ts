import * as z from 'zod';
import type { RouterModelRecord } from '../../byok/byok-store';
import {
  addRouterModels as addModels,
  ROUTER_MODELS_MAX,
  type RouterModel,
  removeRouterKey as removeKey,
  removeRouterModel as removeModel,
  saveRouterKey as saveKey,
  searchRouterModels as searchModels,
} from '../../byok/router';
import { isRefusal, refuse } from '../../errors';
import { isoTime } from '../../lib/clock';
import { ability, amount, count, list, moment, named, text } from '../../lib/reply-schemas';
import { depsOf } from '../deps';
import { accountRoute } from '../shared/operation';
import { listOf, objectOf, optional } from '../shared/schemas';

const FOUND_MAX = 50;
const WORDS_CHARACTERS_MAX = 200;

const NewRouterKey = objectOf({
  key: z.string('must be a string').describe('The key of the model router; it is never shown again.'),
}).meta({ id: 'NewRouterKey' });
const NewRouterModels = objectOf({
  slugs: listOf(z.string('must be a string'), 'must be a list of router slugs', { min: 1 }).describe(
    'As the router names its models: `owner/model`. All are added, or none.',
  ),
}).meta({ id: 'NewRouterModels' });

const RouterKey = named('RouterKey', () =>
  z.object({
    saved: z
      .object({ last4: text('How it ends.'), savedAt: moment('When it was saved.') })
      .nullable()
      .describe('Null where none is saved.'),
    unchecked: text('Why the router could not be asked if it takes the key that was just saved.').optional(),
  }),
);
const modelFields = () => ({
  slug: text('`owner/model`.'),
  name: text('The display name.'),
  contextTokens: count('The context window, when known.').nullable(),
  vision: ability('Whether it takes images.'),
  tools: ability('Whether it can call tools.'),
});
const perMillion = (of: string) => amount(`US dollars for a million tokens of ${of}.`);
const price = () => z.object({ inputUsdPerMillion: perMillion('prompts'), outputUsdPerMillion: perMillion('replies') });
const RouterModelList = named('RouterModelList', () =>
  z.object({
    models: list(z.object({ ...modelFields(), addedAt: moment('When it was added.') }), 'In the order added.'),
    max: count('How many may be added.'),
  }),
);
const RouterCatalog = named('RouterCatalog', () =>
  z.object({
    models: list(
      z.object({ ...modelFields(), price: price().nullable().describe("The router's, when known.") }),
      `At most ${FOUND_MAX}, by slug.`,
    ),
  }),
);

const key = '/dashboard/router-key';
const models = '/dashboard/router-models';

/** Bring your own key: the router key, of which the last four characters are shown, and the router's models. */
export const ROUTER_OPERATIONS = [
  accountRoute({
    at: `GET ${key}`,
    id: 'getRouterKey',
    summary: 'Tell whether a key of the model router is saved, and how it ends',
    reply: RouterKey,
    run: async ({ store }, { userId }) => savedKey(await store.findRouterKey(userId)),
  }),
  accountRoute({
    at: `PUT ${key}`,
    id: 'saveRouterKey',
    summary: 'Save a key of the model router in the place of the one before, unless the router refuses it',
    recent: true,
    body: NewRouterKey,
    example: { key: 'sk-or-v1-0123456789abcdef' },
    reply: RouterKey,
    run: async (deps, request, fields) => {
      const saved = await saveKey(depsOf(deps, request), { userId: request.userId, key: fields.key });
      return isRefusal(saved) ? saved : { body: { ...savedKey(saved).body, unchecked: saved.unchecked } };
    },
  }),
  accountRoute({
    at: `DELETE ${key}`,
    id: 'removeRouterKey',
    summary: 'Remove it',
    recent: true,
    reply: RouterKey,
    failures: [404],
    run: async (deps, request) => {
      const removed = await removeKey(depsOf(deps, request), request.userId);
      return removed ? savedKey(undefined) : refuse('not_found', 'No router key is saved');
    },
  }),
  accountRoute({
    at: `GET ${models}`,
    id: 'listRouterModels',
    summary: 'List the models of the router that were added',
    reply: RouterModelList,
    run: async ({ store }, { userId }) => modelList(await store.listRouterModels(userId)),
  }),
  accountRoute({
    at: `POST ${models}`,
    id: 'addRouterModels',
    summary: 'Add models of the router',
    body: NewRouterModels,
    example: { slugs: ['owl/eagle-1'] },
    reply: RouterModelList,
    run: async (deps, request, { slugs }) => {
      const added = await addModels(depsOf(deps, request), { userId: request.userId, slugs });
      return isRefusal(added) ? added : modelList(added);
    },
  }),
  accountRoute({
    at: `DELETE ${models}/{id}`,
    id: 'removeRouterModel',
    summary: 'Remove one of them',
    resource: 'A slug, `owner/model`; its slash may be encoded or not.',
    reply: RouterModelList,
    run: async (deps, request) => {
      const { userId, resourceId: slug = '' } = request;
      const removed = await removeModel(depsOf(deps, request), { userId, slug });
      return removed ? modelList(await deps.store.listRouterModels(userId)) : refuse('not_found', 'Unknown model');
    },
  }),
  accountRoute({
    at: 'GET /dashboard/router-catalog',
    id: 'searchRouterModels',
    summary: "Search in the router's own list",
    query: z.object({
      q: optional(
        z.string().max(WORDS_CHARACTERS_MAX, `must have at most ${WORDS_CHARACTERS_MAX} characters`),
        'Words that the slug or the name holds, at most 200 characters. Default: none, so any model.',
      ),
    }),
    reply: RouterCatalog,
    run: async (deps, _, { q: words = '' }) => {
      const found = await searchModels(deps, { words, max: FOUND_MAX });
      if (isRefusal(found)) return found;
      return {
        body: { models: found.map((model) => ({ ...modelBody({ ...model, slug: model.id }), price: model.price })) },
      };
    },
  }),
];

function savedKey(saved: { readonly last4: string; readonly createdAtMs: number } | undefined) {
  return { body: { saved: saved ? { last4: saved.last4, savedAt: isoTime(saved.createdAtMs) } : null } };
}

function modelList(records: readonly RouterModelRecord[]) {
  const listed = records.map((record) => ({ ...modelBody(record), addedAt: isoTime(record.addedAtMs) }));
  return { body: { models: listed, max: ROUTER_MODELS_MAX } };
}

function modelBody({ slug, name, contextTokens, vision, tools }: RouterModel) {
  return { slug, name, contextTokens, vision, tools };
}
