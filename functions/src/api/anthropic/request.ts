/* Body of a request in Anthropic's protocol, and the fields of a run that it makes. */
import * as z from 'zod';
import type { AnswerForm } from '../../ensemble/form/answer-form';
import { REASONING_EFFORTS } from '../../models/model';
import { formSchemaField } from '../ensemble-options/forced-form';
import { modelField, type RunFields, runFields } from '../ensemble-options/run-fields';
import type { Messages } from '../shared/messages';
import { numberBetween, objectOf, optional } from '../shared/schemas';
import { isMark } from './blocks';
import { conversationSchema, systemSchema } from './conversation';
import { areMarked, choiceFlaw, toolChoiceSchema, toolFieldsOf, toolsLeftOut, toolsSchema } from './tools';

const LIMIT_RULE = 'must be an integer greater than 0';
const OBJECT_RULE = 'must be an object';
/** Word by which Anthropic's tool runner knows that it has to send the whole conversation each time. */
const NO_THREADS = { reason: 'thread_unsupported_request' };
const THREAD_RULE = 'is not supported: nothing is kept here, so send the whole conversation each time';

/** Fields without effect on an answer, which its reply says where one holds anything. */
const UNHEARD = ['stop_sequences', 'top_k', 'context_management', 'container', 'mcp_servers', 'inference_geo', 'speed'];

const format = objectOf(
  {
    type: z.literal('json_schema', 'must be json_schema'),
    schema: formSchemaField.describe('A JSON Schema, at most 100,000 characters as JSON.'),
  },
  OBJECT_RULE,
).transform(({ schema }): AnswerForm => ({ name: 'answer', schema }));

const outputConfig = objectOf(
  {
    effort: optional(
      z.unknown().transform((value) => REASONING_EFFORTS.find((effort) => effort === value)),
      'How much the model that writes the answer is to think.',
    ).meta({ type: 'string', enum: REASONING_EFFORTS }),
    format: optional(format, 'Which form the answer is to have.'),
  },
  OBJECT_RULE,
);

/** Fields of a prompt, of which tokens can be counted. */
const promptFields = {
  // First, as its clients must be told before anything else.
  thread: z
    .custom<undefined>((value) => value === undefined, { error: THREAD_RULE, params: NO_THREADS })
    .optional()
    .describe('Refused: nothing is kept here.'),
  model: modelField.describe('As in a chat completion.'),
  messages: conversationSchema,
  system: optional(systemSchema, 'Instructions: a string, or blocks of text.'),
  tools: optional(toolsSchema, 'Tools that may be called, by the client; those that Anthropic runs are left out.'),
  tool_choice: optional(toolChoiceSchema, 'Whether one is to be called.'),
  thinking: optional(
    z.unknown().meta({ type: 'object' }),
    'Whether thoughts are shown; `output_config` has the effort.',
  ),
  output_config: optional(outputConfig, 'Effort and form of the answer.'),
  output_format: optional(format, 'The form, where older clients have it.'),
  cache_control: optional(
    z.unknown().meta({ type: 'object' }),
    'Marks the end of the prompt for the cache of its provider.',
  ),
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

const TOOL_FIELDS: readonly string[] = ['tools', 'tool_choice'];
/** Fields that are acted on, or whose notes are made here; those about tools where a model is offered some. */
export const HEARD = {
  heard: [
    ...Object.keys(messageFields).filter((name) => name !== 'max_tokens' && !TOOL_FIELDS.includes(name)),
    ...UNHEARD,
  ],
  heardWithTools: TOOL_FIELDS,
};

/** Body of a request for a message. @internal */
export const MessageRequest = objectOf(messageFields).meta({ id: 'MessageRequest' }).transform(fieldsOf);

/** Body of a request to count its tokens: the same without what does not change the prompt. @internal */
export const CountRequest = objectOf(promptFields)
  .meta({ id: 'CountRequest' })
  .transform((fields, context) => fieldsOf({ ...fields, stream: false, store: true }, context));

type PromptFields = z.output<z.ZodObject<typeof promptFields>> &
  Pick<RunFields, 'stream' | 'store' | 'temperature' | 'top_p'>;

/** The fields of a run. What is without effect is told of the body as it was sent. */
function fieldsOf(said: PromptFields, context: z.core.$RefinementCtx): RunFields {
  const { model, ai_ensemble, stream, store, temperature, top_p, output_config: output, output_format: form } = said;
  const flaw = choiceFlaw(said);
  if (flaw) context.addIssue({ code: 'custom', ...flaw });
  return {
    ...{ model, ai_ensemble, stream, store, temperature, top_p },
    messages: messagesOf(said),
    answerForm: output?.format ?? form,
    reasoning_effort: output?.effort,
    toolFields: toolFieldsOf(said),
    ignored: toolsLeftOut(said),
  };
}

/** The conversation below its instructions. */
function messagesOf({ messages, system, cache_control: whole, ...offer }: PromptFields): Messages {
  const systemMessages = [...(system?.text ? [system.text] : []), ...messages.systemMessages].join('\n\n');
  const { cacheMarks = isMark(whole) ? [0] : undefined } = messages;
  // An empty list: what stands before all messages is to be kept, and nothing of them.
  const marks = cacheMarks ?? (system?.isMarked || areMarked(offer) ? [] : undefined);
  return {
    ...messages,
    systemMessages: systemMessages === '' ? [] : [systemMessages],
    ...(marks && { cacheMarks: marks }),
    ...(messages.toolTurns && marks && { toolTurns: { ...messages.toolTurns, cacheMarks: marks } }),
  };
}

/** Parts of a body without effect, in words for its sender. */
export function unheardIn(sent: object): string[] {
  const fields = sent as Readonly<Record<string, unknown>>;
  const { thinking, output_config: output } = fields as {
    thinking?: { type?: unknown };
    output_config?: { effort?: unknown };
  };
  const { effort = null } = output ?? {};
  const isKnown = REASONING_EFFORTS.some((each) => each === effort);
  const asksForThoughts = (thinking?.type ?? 'disabled') !== 'disabled';
  return [
    ...UNHEARD.filter((name) => fields[name] != null && !(Array.isArray(fields[name]) && fields[name].length === 0)),
    ...(asksForThoughts && effort === null ? ['thinking: output_config.effort says how much'] : []),
    ...(effort === null || isKnown ? [] : ['output_config.effort']),
  ];
}
