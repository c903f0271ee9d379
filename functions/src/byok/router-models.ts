import * as z from 'zod';
import type { ModelPrice, ModelRow } from '../models/catalog';
import type { RouterModelRecord } from '../store/byok-store';

/** Router models a user may have added (spec "Limits"). */
export const ROUTER_MODELS_MAX = 100;

const SLUG = /^[a-z0-9._-]+\/[a-z0-9._:-]+$/;
const SLUG_CHARACTERS_MAX = 200;
const NAME_CHARACTERS_MAX = 200;

/** A model as the router lists it. */
export type RouterModel = Omit<RouterModelRecord, 'addedAtMs'>;

/** The router's own list of models, by slug. */
export interface RouterCatalog {
  /** Throws when the router cannot be asked and nothing is remembered. */
  models(): Promise<ReadonlyMap<string, RouterModel>>;
}

/** Whether a text has the form `owner/model` of a router slug. */
export function isSlug(text: string): boolean {
  return text.length <= SLUG_CHARACTERS_MAX && SLUG.test(text);
}

/** Only what is asked of an entry; anything else in it, and whatever does not fit, is passed over. */
const entrySchema = z.object({
  id: z.string(),
  name: z.string().optional().catch(undefined),
  context_length: z.int().positive().optional().catch(undefined),
  architecture: z
    .object({ input_modalities: z.array(z.unknown()) })
    .optional()
    .catch(undefined),
  supported_parameters: z.array(z.unknown()).optional().catch(undefined),
});
const listSchema = z.object({ data: z.array(z.unknown()) });

/** The models of the body of the router's `GET /models`; entries that are none are left out. Throws when it is no list. */
export function parseRouterModels(body: unknown): ReadonlyMap<string, RouterModel> {
  const models = listSchema.parse(body).data.flatMap((entry) => {
    const parsed = entrySchema.safeParse(entry);
    return parsed.success && isSlug(parsed.data.id) ? [routerModel(parsed.data)] : [];
  });
  return new Map(models.map((model) => [model.slug, model]));
}

const FREE: ModelPrice = { inputUsdPerMillion: 0, outputUsdPerMillion: 0 };

/** An added model as the engine sees it. It is priced, at nothing: the router bills its user. */
export function routerModelRow({ slug, name, contextTokens, vision, tools }: RouterModelRecord): ModelRow {
  const row = { id: slug, name, provider: 'router', providerModel: slug, contextTokens, sampling: true } as const;
  return { ...row, vision, tools, price: FREE };
}

function routerModel(entry: z.infer<typeof entrySchema>): RouterModel {
  const { id, name, context_length, architecture, supported_parameters } = entry;
  return {
    slug: id,
    name: plainName(name) || id,
    contextTokens: context_length ?? null,
    vision: architecture?.input_modalities.includes('image') ?? false,
    tools: supported_parameters?.includes('tools') ?? false,
  };
}

/** Names are shown to people and written into prompts and status lines: one line, nothing invisible. */
function plainName(name = ''): string {
  return name
    .toWellFormed()
    .replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ')
    .trim()
    .slice(0, NAME_CHARACTERS_MAX)
    .toWellFormed();
}
