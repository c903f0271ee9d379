import * as z from 'zod';
import { PLAIN_TEXT, PLAIN_TEXT_RULE } from '../lib/foreign-text';
import { baseUrlFlaw, mendedBaseUrl } from './base-url';
import { endpointId, type ModelOverride } from './catalog';

/** Part of a deployment's settings that adds to the catalog. */
export interface ModelSettings {
  readonly models: readonly ModelOverride[];
  /** OpenAI-compatible endpoints by name, each at its base URL; `concurrency`: the calls it is sent at once. */
  readonly endpoints: Readonly<Record<string, { readonly baseUrl: string; readonly concurrency?: number }>>;
}

/** A price above it is a slip of the decimal point. */
const USD_PER_MILLION_MAX = 10_000;
/** No run is longer. */
const FIRST_EVENT_SECONDS_MAX = 525;
const PROBLEMS_SHOWN_MAX = 10;

const text = z
  .string()
  .regex(/^\S(.*\S)?$/, 'must not be empty, nor begin or end with a space')
  .max(200)
  .regex(PLAIN_TEXT, PLAIN_TEXT_RULE);
const flag = z.boolean().exactOptional();
const countAboveZero = z.int().positive().exactOptional();
const usd = z.number().min(0).max(USD_PER_MILLION_MAX);

const modelSchema = z
  .strictObject({
    id: text,
    name: text.exactOptional(),
    endpoint: text.exactOptional(),
    provider: z.enum(['openai', 'anthropic', 'google']).exactOptional(),
    providerModel: text.exactOptional(),
    contextTokens: countAboveZero,
    maxOutputTokens: countAboveZero,
    vision: flag,
    tools: flag,
    sampling: flag,
    reasoningEffort: flag,
    thoughtsUnopened: flag,
    firstEventSeconds: z.int().positive().max(FIRST_EVENT_SECONDS_MAX).exactOptional(),
    price: z
      .strictObject({
        inputUsdPerMillion: usd,
        outputUsdPerMillion: usd,
        cachedInputUsdPerMillion: usd.exactOptional(),
        cacheWriteInputUsdPerMillion: usd.exactOptional(),
      })
      .exactOptional(),
  })
  .refine(({ endpoint, provider }) => endpoint === undefined || provider === undefined, {
    path: ['provider'],
    error: 'must be left out where endpoint is given',
  });

const endpointName = z
  .string()
  .regex(/^[a-z0-9][a-z0-9_-]{0,31}$/, 'a name has 1 to 32 lowercase letters, digits, hyphens and underscores');
const endpointSchema = z.strictObject({
  baseUrl: z
    .string()
    .refine((url) => baseUrlFlaw(url) === undefined, { error: ({ input }) => baseUrlFlaw(String(input)) })
    .transform((url) => mendedBaseUrl(url, 'openai')),
  concurrency: countAboveZero,
});

const settingsSchema = z
  .strictObject({
    models: z.array(modelSchema).default([]),
    endpoints: z.record(endpointName, endpointSchema).default({}),
  })
  .superRefine(checkReferences);

type Settings = z.infer<typeof settingsSchema>;

/** Reads `MODEL_OVERRIDES`, empty for none. Throws an Error that names every faulty field by its path, one a line. */
export function parseModelOverrides(json: string): ModelSettings {
  if (json === '') return { models: [], endpoints: {} };
  const parsed = settingsSchema.safeParse(parseJson('MODEL_OVERRIDES', json));
  if (!parsed.success) throw new Error(problemsOf(parsed.error.issues).join('\n'));
  const { models, endpoints } = parsed.data;
  const overrides = models.map(({ endpoint, ...fields }) =>
    endpoint === undefined ? fields : { ...fields, provider: endpointId(endpoint) },
  );
  return { models: overrides, endpoints };
}

/** Reads `ENDPOINT_KEYS`, empty for none. Throws an Error that repeats nothing of the text, which is secret. */
export function parseEndpointKeys(json: string, endpoints: readonly string[]): ReadonlyMap<string, string> {
  if (json === '') return new Map();
  const parsed = z.record(z.string(), z.string().regex(/^[\x21-\x7e]+$/)).safeParse(parseJson('ENDPOINT_KEYS', json));
  if (!parsed.success) {
    throw new Error('ENDPOINT_KEYS: must be a JSON object of the endpoints’ names and keys, which are strings');
  }
  const keys = new Map(Object.entries(parsed.data));
  if ([...keys.keys()].every((name) => endpoints.includes(name))) return keys;
  const known = endpoints.length > 0 ? `those are ${endpoints.join(', ')}` : 'there are none';
  throw new Error(`ENDPOINT_KEYS: names an endpoint that MODEL_OVERRIDES does not have (${known})`);
}

/** The parser's own message quotes the text around the fault; only the place of it is told. */
function parseJson(name: string, json: string): unknown {
  try {
    return JSON.parse(json);
  } catch (error) {
    const place = /at position \d+ \(line \d+ column \d+\)$/.exec(error instanceof Error ? error.message : '')?.[0];
    throw new Error(`${name}: must be JSON${place ? ` (fault ${place})` : ''}`);
  }
}

function checkReferences({ models, endpoints }: Settings, context: z.RefinementCtx): void {
  const flaw = (path: (string | number)[], message: string): void =>
    context.addIssue({ code: 'custom', path, message });
  const seen = new Set<string>();
  for (const [index, { id, endpoint }] of models.entries()) {
    if (seen.has(id)) flaw(['models', index, 'id'], `"${id}" is there twice`);
    seen.add(id);
    if (endpoint !== undefined && !Object.hasOwn(endpoints, endpoint)) {
      flaw(['models', index, 'endpoint'], `"${endpoint}" is not one of endpoints`);
    }
  }
}

function problemsOf(issues: readonly z.core.$ZodIssue[]): string[] {
  const lines = issues.flatMap((issue) => {
    if (issue.code === 'unrecognized_keys') {
      return issue.keys.map((key) => `${pathOf([...issue.path, key])}: is not a known field`);
    }
    return `${pathOf(issue.path)}: ${issue.code === 'invalid_key' ? issue.issues[0]?.message : issue.message}`;
  });
  const more = lines.length - PROBLEMS_SHOWN_MAX;
  return more > 0 ? [...lines.slice(0, PROBLEMS_SHOWN_MAX), `and ${more} more`] : lines;
}

/** `['models', 1, 'price']` → `MODEL_OVERRIDES.models[1].price`. */
function pathOf(path: readonly PropertyKey[]): string {
  return `MODEL_OVERRIDES${path.map((part) => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`)).join('')}`;
}
