import * as z from 'zod';
import { REASONING_EFFORTS } from '../../../models/model';
import { answering } from '../../answer/answering';
import { modelField, runFields, textSchema } from '../../ensemble-options/run-fields';
import { keyRoute } from '../../shared/operation';
import { objectOf, optional } from '../../shared/schemas';
import { inputSchema } from './conversation';
import { NOT_STORED } from './items';
import { OpenAiItemEvent, OpenAiResponse, OpenAiResponseEvent } from './response-body';
import { responseWire } from './response-wire';
import { toolFields, toolsOf } from './tools';

const text = z.string('must be a string');
const notStored = z
  .custom<undefined>((value) => value === undefined, NOT_STORED)
  .optional()
  .describe('Refused: nothing is stored.');

const { stream, store, temperature, top_p, prompt_cache_key, ai_ensemble } = runFields;
const responseFields = {
  model: modelField.describe('As in a chat completion.'),
  input: inputSchema.describe('A text, or the items of a conversation; the last message is the prompt.'),
  instructions: optional(text, 'System message before those of the input.'),
  ...{ stream, store, temperature, top_p, prompt_cache_key, ai_ensemble },
  text: textSchema.optional().describe('Only `format` is read: which form the answer is to have.'),
  reasoning: optional(
    objectOf({ effort: optional(text, 'How much the model that writes the answer is to think.') }, 'must be an object'),
    'Only `effort` is read, and no explanation is asked for by it.',
  ),
  max_output_tokens: optional(
    z.int('must be an integer greater than 0').positive('must be an integer greater than 0'),
    'Checked and not sent to models.',
  ),
  ...{ previous_response_id: notStored, conversation: notStored },
};

/** Fields whose wish is fulfilled without reading them: thoughts always come sealed, and metadata comes back. */
const FULFILLED = ['include', 'client_metadata'];
const HEARD = [...Object.keys(responseFields).filter((name) => name !== 'max_output_tokens'), ...FULFILLED];

/**
 * Body of a request for a response by OpenAI's protocol.
 * @internal
 */
export const OpenAiResponseRequest = objectOf({ ...responseFields, ...toolFields })
  .meta({ id: 'OpenAiResponseRequest' })
  .transform(({ input, instructions = '', text: answerForm, reasoning, ...fields }, context) => {
    const { tools, tool_choice, parallel_tool_calls, ...others } = fields;
    const { toolOffer, leftOut } = toolsOf({ tools, tool_choice, parallel_tool_calls }, context);
    const { effort } = reasoning ?? {};
    const known = REASONING_EFFORTS.find((name) => name === effort);
    const unknown = effort === undefined || known ? [] : [`reasoning.effort ${JSON.stringify(effort.slice(0, 40))}`];
    // All of them are instructions for this answer, as they are on OpenAI's own server.
    const system = [instructions, ...input.messages.systemMessages].filter((each) => each !== '').join('\n\n');
    return {
      ...others,
      messages: { ...input.messages, systemMessages: system === '' ? [] : [system] },
      answerForm,
      toolOffer,
      reasoning_effort: known,
      ignored: [...unknown, ...leftOut, ...input.ignored],
    };
  });

const QUESTION = 'Should our clinic book appointments online?';

/** The protocol that Codex and the SDKs of OpenAI speak by default. */
export const createOpenAiResponse = keyRoute({
  at: 'POST /openai/v1/responses',
  endpoint: 'responses',
  limited: true,
  id: 'createOpenAiResponse',
  tag: 'OpenAI',
  summary: 'Answer by the Responses protocol of OpenAI',
  description:
    'Items in, items out; nothing is stored. What is told of an ensemble stands under `ensemble`, its progress in the summary of a reasoning item. Null counts as absent.',
  body: OpenAiResponseRequest,
  example: { model: 'ensemble', instructions: 'Answer in two sentences.', input: QUESTION },
  reply: OpenAiResponse,
  streams: 'on demand',
  events: [OpenAiResponseEvent, OpenAiItemEvent],
  run: answering({ wire: responseWire, heard: HEARD, heardWithTools: Object.keys(toolFields) }),
});
