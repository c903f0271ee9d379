import type { AnswerForm } from '../../ensemble/form/answer-form';
import { type Refusal, refuse } from '../../errors';
import { strictObject } from '../../models/model';
import type { Tool, ToolOffer } from '../../models/tools';
import { jsonSchemaField } from '../shared/schemas';

/** JSON Schema of an answer. */
export const formSchemaField = jsonSchemaField(100_000);

const OBJECT_RULE = 'must have the type object, as the arguments of a call are one';

/** The form of an answer that is one call of a tool; undefined where no single tool has to be called. */
export function forcedForm({ tools, choice }: ToolOffer): AnswerForm | Refusal | undefined {
  const only = choice === 'required' && tools.length === 1;
  const at = typeof choice === 'object' ? tools.findIndex(({ name }) => name === choice.name) : only ? 0 : -1;
  const tool = tools[at];
  if (!tool) return undefined;
  const schema = argumentsSchema(tool);
  if (typeof schema === 'string') {
    return refuse('invalid_request', `Invalid tools[${at}].function.parameters: ${schema}`);
  }
  const { parameters: _, ...rest } = tool;
  return { ...rest, schema, isCall: true };
}

/** Schema of the arguments of a call, without `parameters` of none; in words, what is wrong with it. */
function argumentsSchema({ parameters }: Tool): NonNullable<AnswerForm['schema']> | string {
  if (!parameters) return strictObject({});
  const { error } = formSchemaField.safeParse(parameters);
  if (error) return error.issues[0]?.message ?? OBJECT_RULE;
  const { type = 'object' } = parameters;
  return [type].flat().includes('object') ? { ...parameters, type: 'object' } : OBJECT_RULE;
}
