import * as z from 'zod';
import type { EnsembleRequest } from '../../ensemble/run';
import { answersAlone } from '../../ensemble/strategies/pass-through/pass-through';
import { isRefusal, type Refusal, refuse } from '../../errors';
import { isForced, type Tool, type ToolOffer } from '../../models/tools';
import { BLANK_MESSAGE, type Messages } from '../shared/messages';
import { bool, listOf, objectOf, optional, refusalOf, withForm } from '../shared/schemas';
import type { EnsembleOptions } from './ensemble-options';
import { forcedForm } from './forced-form';

const TOOLS_MAX = 128;
const TOO_MANY = `at most ${TOOLS_MAX} tools`;
const NAME_RULE = 'must be 1 to 64 letters, digits, "_" or "-"';
const CHOICE_RULE =
  'must be none, auto, required, or the name of a function as {"type": "function", "function": {"name": "…"}}';
const STRANGER = 'names no tool of tools';
const NO_CALL = 'must be the id of a call by the assistant before it';

/** Name of a tool. */
export const toolName = z.string(NAME_RULE).regex(/^[\w-]{1,64}$/, NAME_RULE);
const parameters = z.record(z.string(), z.unknown(), 'must be a JSON Schema object');

/** A function that may be called. */
export const functionSchema = objectOf(
  {
    name: toolName.describe('What the model calls it by.'),
    description: optional(z.string('must be a string'), 'What it does, for the model.'),
    parameters: optional(parameters, 'The JSON Schema of its arguments.'),
    strict: optional(bool(), 'Whether the arguments are held to that schema, where the provider can.'),
  },
  'must be an object with a name',
).meta({ id: 'ToolFunction' });

const tool = objectOf(
  {
    type: z
      .literal('function', 'must be function: no other tools are known here')
      .describe('No other kind is known here.'),
    function: functionSchema.describe('What may be called.'),
  },
  'must be an object with type and function',
)
  .meta({ id: 'Tool' })
  .transform(({ function: called }) => called as Tool);

/** A list of tools of a protocol. */
export function toolListOf<T>(each: z.ZodType<T>) {
  return listOf(each, 'must be an array of tools', { max: TOOLS_MAX, tooLong: TOO_MANY });
}

const tools = toolListOf(tool);

/** A choice of one function. */
export const functionChoice = objectOf({
  type: z.literal('function'),
  function: objectOf({ name: toolName }),
}).transform(({ function: called }) => called);

const choice = z.union([z.enum(['none', 'auto', 'required']), functionChoice], CHOICE_RULE);

/** The fields as they are described. */
export const toolFields = {
  tools: optional(
    withForm(z.unknown(), (jsonOf) => jsonOf(tools)),
    'The functions that may be called, by their caller: the service runs none.',
  ),
  tool_choice: optional(
    withForm(z.unknown(), (jsonOf) => jsonOf(choice)),
    'Whether one is to be called; where one tool has to be, the answer of an ensemble is that call.',
  ),
  parallel_tool_calls: optional(z.unknown().meta({ type: 'boolean' }), 'Whether several may be called at once.'),
};

/** Messages of a request, and the options for those that offer tools. */
type AgentMessages = Messages & Pick<EnsembleOptions, 'agent'>;

/** Fields of a request about tools, not read yet. */
export type ToolFields = z.infer<z.ZodObject<typeof toolFields>>;

const offerSchema = objectOf({
  tools: tools.optional(),
  tool_choice: choice.optional(),
  parallel_tool_calls: bool().optional(),
}).transform(({ tools: offered, tool_choice, parallel_tool_calls: parallel }, context) =>
  offerOf({ tools: offered, choice: tool_choice, parallel, needsTools: STRANGER }, context),
);

type Choice = ToolOffer['choice'] | { readonly mode: 'auto' | 'required'; readonly names: readonly string[] };

/** Fields about tools as a request has them. */
export interface SaidOffer {
  readonly tools?: readonly Tool[] | undefined;
  /** One among some: the others are not offered. */
  readonly choice?: Choice | undefined;
  readonly parallel?: boolean | undefined;
  /** Rule broken by a call that is demanded where there are no tools. */
  readonly needsTools?: string;
  /** Paths in `tools` to their names; default: those of functions in chat completions. */
  readonly namePaths?: readonly PropertyKey[][];
}

/** The offer that a request makes, where it has tools; adds an issue where its fields do not go together. */
export function offerOf(
  { tools: all = [], choice: said, parallel, needsTools = 'needs tools', namePaths = [] }: SaidOffer,
  context: z.core.$RefinementCtx,
): ToolOffer | undefined {
  if (all.length > TOOLS_MAX) {
    context.addIssue({ code: 'custom', path: ['tools'], message: TOO_MANY });
    return undefined;
  }
  const names = all.map((each) => each.name);
  const twice = names.findIndex((each, index) => names.indexOf(each) < index);
  const wanted = typeof said !== 'object' ? [] : 'names' in said ? said.names : [said.name];
  const issue = (path: PropertyKey[], message: string) => context.addIssue({ code: 'custom', path, message });
  if (twice >= 0) issue(['tools', ...(namePaths[twice] ?? [twice, 'function', 'name'])], 'is used twice');
  else if (isForced(said) && names.length === 0) issue(['tool_choice'], needsTools);
  else if (wanted.some((each) => !names.includes(each))) issue(['tool_choice'], STRANGER);
  if (names.length === 0) return undefined;
  const isNarrow = typeof said === 'object' && 'names' in said;
  const offered = isNarrow ? all.filter((each) => said.names.includes(each.name)) : all;
  const choice = isNarrow ? said.mode : said;
  return {
    tools: offered,
    ...(choice !== undefined && { choice }),
    ...(parallel !== undefined && { parallel }),
    json: JSON.stringify(offered),
  };
}

/**
 * The same request with its tools, and with the calls and results of its messages: a model that answers alone is offered
 * them, and of an ensemble the arbiter.
 */
export function withTools(
  request: EnsembleRequest,
  {
    toolFields: fields = {},
    toolOffer,
  }: { readonly toolFields?: ToolFields; readonly toolOffer?: ToolOffer | undefined },
  messages: AgentMessages,
): EnsembleRequest | Refusal {
  const isEnsemble = !answersAlone(request);
  if (isEnsemble && !toolOffer && fields.tools == null && !isForced(fields.tool_choice)) return withoutTools(request);
  const { success, data: offer = toolOffer, error } = offerSchema.safeParse(fields);
  if (!success) return refusalOf(error);
  if (isEnsemble)
    return offer ? ofEnsemble(request, offer, { ...messages, isContract: !toolOffer }) : withoutTools(request);
  const { toolTurns } = messages;
  return { ...(offer || hasCalls(toolTurns) ? inTurns(request, toolTurns) : request), ...(offer && { tools: offer }) };
}

/** A request of an ensemble that was offered no tools: the message tells who speaks. */
function withoutTools(request: EnsembleRequest): EnsembleRequest | Refusal {
  const { message, name: speaker, images, ...rest } = request;
  if (message.trim() === '' && !images) return refuse('invalid_request', `Invalid messages: ${BLANK_MESSAGE}`);
  return speaker ? { ...rest, ...(images && { images }), message: `${speaker}: ${message}` } : request;
}

/** An ensemble whose answer is the one tool's call that is demanded first; else its arbiter acts, advised by its panel. */
function ofEnsemble(
  request: EnsembleRequest,
  tools: ToolOffer,
  { toolTurns, strayResult, agent, isContract }: AgentMessages & { readonly isContract: boolean },
): EnsembleRequest | Refusal {
  if (strayResult !== undefined) {
    return refuse('invalid_request', `Invalid messages[${strayResult}].tool_call_id: ${NO_CALL}`);
  }
  const form = isForced(tools.choice) && !hasCalls(toolTurns) ? forcedForm(tools, isContract) : undefined;
  if (form) return isRefusal(form) ? form : withoutTools({ ...request, answerForm: form });
  const { advise = 'turn', review: reviews = 0 } = agent ?? {};
  const setup = { advises: advise === 'turn', reviews, turnId: request.requestId };
  // There are no answers to compare.
  return { ...inTurns(request, toolTurns), tools, agent: setup, rounds: 1 + reviews, includeExplanation: false };
}

function inTurns(request: EnsembleRequest, toolTurns: Messages['toolTurns']): EnsembleRequest {
  const { message: _, name: _name, images: _images, cacheMarks: _marks, ...rest } = request;
  return toolTurns ? { ...rest, ...toolTurns } : request;
}

function hasCalls(toolTurns: Messages['toolTurns']): boolean {
  return toolTurns?.history.some(({ toolCalls }) => toolCalls) ?? false;
}
