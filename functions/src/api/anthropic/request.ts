/* Body of a request in Anthropic's protocol, and the fields of a run that it makes. */
import * as z from 'zod';
import type { AnswerForm } from '../../ensemble/form/answer-form';
import { REASONING_EFFORTS } from '../../models/model';
import { formSchemaField } from '../ensemble-options/forced-form';
import { modelField, type RunFields, runFields } from '../ensemble-options/run-fields';
import { offerOf } from '../ensemble-options/tool-offer';
import { numberBetween, objectOf, optional } from '../shared/schemas';
import { isMark } from './blocks';
import { conversationSchema, systemSchema } from './conversation';
import { toolFields } from './tools';

const LIMIT_RULE = 'must be an integer greater than 0';
const OBJECT_RULE = 'must be an object';
const THREAD_RULE = 'is not supported: nothing is kept here, so send the whole conversation each time';
/** Fields without effect on an answer, which its reply says where one holds anything. */
const UNHEARD = ['stop_sequences', 'top_k', 'context_management', 'container', 'mcp_servers', 'inference_geo', 'speed'];

const format = objectOf(
  { type: z.literal('json_schema', 'must be json_schema'), schema: formSchemaField },
  OBJECT_RULE,
).transform(({ schema }): AnswerForm => ({ name: 'answer', schema }));
const effort = z.unknown().transform((value) => REASONING_EFFORTS.find((known) => known === value));
const outputConfig = objectOf(
  {
    effort: optional(effort, 'How much its author is to think.').meta({ type: 'string', enum: REASONING_EFFORTS }),
    format: optional(format, 'Which form it is to have, as a JSON Schema of at most 100,000 characters.'),
  },
  OBJECT_RULE,
);
const anything = () => z.unknown().meta({ type: 'object' });

/** Fields of a prompt, of which tokens can be counted. */
const promptFields = {
  // First, as clients have to hear of it before anything else: by its reason Anthropic's tool runner goes on without.
  thread: z
    .custom<undefined>(() => false, { error: THREAD_RULE, params: { reason: 'thread_unsupported_request' } })
    .optional()
    .describe('Refused: nothing is kept here.'),
  model: modelField.describe('As in a chat completion.'),
  messages: conversationSchema,
  system: optional(systemSchema, 'Instructions: a string, or blocks of text.'),
  ...toolFields,
  thinking: optional(anything(), 'Whether thoughts are shown; how much is thought is said in `output_config`.'),
  output_config: optional(outputConfig, 'Effort and form of the answer.'),
  output_format: optional(format, 'Its form, where older clients have it.'),
  cache_control: optional(anything(), 'Marks the end of the prompt for the cache of its provider.'),
  ai_ensemble: runFields.ai_ensemble,
};
const messageFields = {
  ...promptFields,
  max_tokens: z.int(LIMIT_RULE).positive(LIMIT_RULE).describe('Required, checked and not sent to models.'),
  stream: runFields.stream,
  store: runFields.store,
  temperature: optional(
    numberBetween(0, 1, 'must be a number between 0 and 1'),
    "Of the arbiter's judgement and of the answer; default: the provider's.",
  ),
  top_p: runFields.top_p,
};

const TOOL_FIELDS = Object.keys(toolFields);
/** Fields that are acted on, or whose notes are made here; those about tools where a model is offered some. */
export const HEARD = {
  heard: [...Object.keys(messageFields), ...UNHEARD].filter((name) => ![...TOOL_FIELDS, 'max_tokens'].includes(name)),
  heardWithTools: TOOL_FIELDS,
};

/** Body of a request for a message. */
export const MessageRequest = objectOf(messageFields).meta({ id: 'MessageRequest' }).transform(fieldsOf);
/** Body of a request to count its tokens: without what does not change the prompt. */
export const CountRequest = objectOf(promptFields)
  .meta({ id: 'CountRequest' })
  .transform((fields, context) => fieldsOf({ ...fields, stream: false, store: true }, context));

type Said = z.output<z.ZodObject<typeof promptFields>> & Pick<RunFields, 'stream' | 'store' | 'temperature' | 'top_p'>;

function fieldsOf(said: Said, context: z.core.$RefinementCtx): RunFields {
  const { messages, system, tools = [], tool_choice, output_config: output, output_format: form, ...fields } = said;
  const offered = tools.flatMap(({ offered: each }) => each ?? []);
  const namePaths = tools.flatMap(({ offered: each }, at) => (each ? [[at, 'name']] : []));
  const systemMessages = [system?.text, ...messages.systemMessages].filter((text) => text);
  // Without a place in the messages: what stands before them all is to be kept.
  const beginning = system?.isMarked || tools.some(({ isMarked }) => isMarked) ? [] : undefined;
  const marks = messages.cacheMarks ?? (isMark(said.cache_control) ? [0] : beginning);
  const cacheMarks = marks && { cacheMarks: marks };
  const { toolTurns } = messages;
  return {
    ...fields,
    messages: {
      ...{ ...messages, ...cacheMarks, ...(toolTurns && { toolTurns: { ...toolTurns, ...cacheMarks } }) },
      systemMessages: systemMessages.length > 0 ? [systemMessages.join('\n\n')] : [],
    },
    answerForm: output?.format ?? form,
    reasoning_effort: output?.effort,
    toolOffer: offerOf({ tools: offered, ...tool_choice, namePaths }, context),
    ignored: tools.flatMap(({ left }, at) => (left === undefined ? [] : [`tools[${at}]: ${left}`])),
  };
}

/** Parts of a body without effect, in words for its sender. */
export function unheardIn(sent: object): string[] {
  const { thinking, output_config: output, ...fields } = sent as Readonly<Record<string, unknown>>;
  const { effort: wished = null } = (output ?? {}) as { readonly effort?: unknown };
  const isKnown = REASONING_EFFORTS.some((known) => known === wished);
  return [
    ...UNHEARD.filter((name) => fields[name] != null && JSON.stringify(fields[name]) !== '[]'),
    ...(asksForThoughts(thinking) && wished === null ? ['thinking: output_config.effort says how much'] : []),
    ...(wished === null || isKnown ? [] : ['output_config.effort']),
  ];
}

/** True of a request's `thinking` that wants some. */
export function asksForThoughts(thinking: unknown): boolean {
  const { type = 'disabled' } = (thinking ?? {}) as { readonly type?: unknown };
  return type !== 'disabled';
}
