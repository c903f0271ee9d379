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
const NAME_RULE = 'must be 1 to 64 letters, digits, "_" or "-"';
const CHOICE_RULE =
  'must be none, auto, required, or the name of a function as {"type": "function", "function": {"name": "…"}}';
const NO_CALL = 'must be the id of a call by the assistant before it';

const name = z.string(NAME_RULE).regex(/^[\w-]{1,64}$/, NAME_RULE);
const parameters = z.record(z.string(), z.unknown(), 'must be a JSON Schema object');

const functionSchema = objectOf(
  {
    name: name.describe('What the model calls it by.'),
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

const tools = listOf(tool, 'must be an array of tools', { max: TOOLS_MAX, tooLong: `at most ${TOOLS_MAX} tools` });

const choice = z.union(
  [
    z.enum(['none', 'auto', 'required']),
    objectOf({ type: z.literal('function'), function: objectOf({ name }) }).transform(({ function: called }) => called),
  ],
  CHOICE_RULE,
);

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
}).transform(({ tools: offered = [], tool_choice, parallel_tool_calls: parallel }, context): ToolOffer | undefined => {
  const names = offered.map((each) => each.name);
  const twice = names.findIndex((each, index) => names.indexOf(each) < index);
  const wanted = typeof tool_choice === 'object' ? tool_choice.name : names[0];
  const issue = (path: PropertyKey[], message: string) => context.addIssue({ code: 'custom', path, message });
  if (twice >= 0) issue(['tools', twice, 'function', 'name'], 'is used twice');
  else if (isForced(tool_choice) && !names.some((each) => each === wanted))
    issue(['tool_choice'], 'names no tool of tools');
  if (names.length === 0) return undefined;
  return {
    tools: offered,
    ...(tool_choice !== undefined && { choice: tool_choice }),
    ...(parallel !== undefined && { parallel }),
    json: JSON.stringify(offered),
  };
});

/**
 * The same request with its tools, and with the calls and results of its messages: a model that answers alone is offered
 * them, and of an ensemble the arbiter.
 */
export function withTools(
  request: EnsembleRequest,
  fields: ToolFields,
  messages: AgentMessages,
): EnsembleRequest | Refusal {
  const isEnsemble = !answersAlone(request);
  if (isEnsemble && fields.tools == null && !isForced(fields.tool_choice)) return withoutTools(request);
  const { success, data: offer, error } = offerSchema.safeParse(fields);
  if (!success) return refusalOf(error);
  if (isEnsemble) return offer ? ofEnsemble(request, offer, messages) : withoutTools(request);
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
function ofEnsemble(request: EnsembleRequest, tools: ToolOffer, messages: AgentMessages): EnsembleRequest | Refusal {
  const { toolTurns, strayResult, agent } = messages;
  if (strayResult !== undefined) {
    return refuse('invalid_request', `Invalid messages[${strayResult}].tool_call_id: ${NO_CALL}`);
  }
  const form = isForced(tools.choice) && !hasCalls(toolTurns) ? forcedForm(tools) : undefined;
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
