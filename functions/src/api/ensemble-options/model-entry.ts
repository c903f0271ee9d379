import * as z from 'zod';
import type { Seat, SeatSettings } from '../../ensemble/panel/panel';
import { PLAIN_TEXT, PLAIN_TEXT_RULE } from '../../lib/foreign-text';
import { REASONING_EFFORTS } from '../../models/model';
import { type JsonOf, type JsonSchema, objectOf, withForm } from '../shared/schemas';

const SYSTEM_PROMPT_CHARACTERS_MAX = 100_000;
const LABEL_CHARACTERS_MAX = 60;

const MODEL_RULE = 'must be a model id or an object with id or name';
const TEMPERATURE_RULE = 'must be between 0 and 2';
const text = z.string().regex(/\S/, MODEL_RULE).max(200, 'at most 200 characters').regex(PLAIN_TEXT);

/** Instructions, cut to the limit without leaving half a surrogate pair, which no provider would accept. */
export const systemPromptField = z.string('must be a string').transform((systemPrompt) => {
  const cut = systemPrompt.slice(0, SYSTEM_PROMPT_CHARACTERS_MAX);
  return cut.isWellFormed() || !systemPrompt.isWellFormed() ? cut : cut.slice(0, -1);
});

/** A model as a caller names it: by id, or by the name that people see. */
const namedModel = z.union(
  [
    text.transform((id) => ({ id })),
    // The transforms make a flaw inside an object a flaw of the whole entry.
    z.object({ id: text }).transform(({ id }) => ({ id })),
    z.object({ name: text }).transform(({ name }) => ({ name })),
  ],
  MODEL_RULE,
);

const settings = objectOf(
  {
    temperature: z
      .number(TEMPERATURE_RULE)
      .min(0, TEMPERATURE_RULE)
      .max(2, TEMPERATURE_RULE)
      .optional()
      .describe('For the texts it writes: drafts and revisions.'),
    reasoningEffort: z
      .enum(REASONING_EFFORTS, `must be one of ${REASONING_EFFORTS.join(', ')}`)
      .optional()
      .describe('How much it is to think, for models that know an effort.'),
    systemPrompt: systemPromptField
      .optional()
      .describe('Its system prompt in all of its calls; cut to 100,000 characters.'),
    label: z
      .string('must be a string')
      .regex(/\S/, 'must not be blank')
      .max(LABEL_CHARACTERS_MAX, `at most ${LABEL_CHARACTERS_MAX} characters`)
      .regex(PLAIN_TEXT, PLAIN_TEXT_RULE)
      .optional()
      .describe('What people see instead of its name; never shown to a model.'),
  },
  MODEL_RULE,
);

/** An entry of `ai_ensemble.models`: which model, and what is special about this seat of it. Other fields are ignored. */
export const modelEntry = withForm(z.unknown().transform(readEntry), (jsonOf) => ({
  anyOf: [
    { ...jsonOf(text), description: 'A model id.' },
    namedEntry('id', 'A model id.', jsonOf),
    namedEntry('name', 'The display name of a model, in any case; not read beside an `id`.', jsonOf),
  ],
}));

function readEntry(value: unknown, context: z.RefinementCtx) {
  const named = namedModel.safeParse(value);
  const special = settings.safeParse(typeof value === 'string' ? {} : value);
  for (const { path, message } of [...(named.error?.issues ?? []), ...(special.error?.issues ?? [])]) {
    context.addIssue({ code: 'custom', path, message });
  }
  return named.success && special.success ? { ...named.data, settings: settingsOf(special.data) } : z.NEVER;
}

function namedEntry(field: 'id' | 'name', description: string, jsonOf: JsonOf): JsonSchema {
  const { properties, ...rest } = jsonOf(settings);
  const named = { [field]: { ...jsonOf(text), description }, ...(properties as object) };
  return { ...rest, properties: named, required: [field] };
}

type Special = z.infer<typeof settings>;

function settingsOf({ temperature, reasoningEffort, systemPrompt, label }: Special): SeatSettings {
  return {
    ...(temperature !== undefined && { sampling: { temperature } }),
    ...(reasoningEffort && { reasoningEffort }),
    ...(systemPrompt && { systemPrompt }),
    ...(label !== undefined && { givenLabel: label }),
  };
}

/** Settings of a seat that its model does not take and that are not sent, in words for people. */
export function ignoredSettings({ label, model, sampling, reasoningEffort }: Seat): string[] {
  return [
    ...(sampling && !model.sampling ? [`${label} takes no temperature: ${sampling.temperature} was not sent`] : []),
    ...(reasoningEffort && !model.reasoningEffort
      ? [`${label} takes no reasoning effort: ${reasoningEffort} was not sent`]
      : []),
  ];
}
