import type { AnswerForm } from '../../ensemble/form/answer-form';
import { type Refusal, refuse } from '../../errors';
import { strictObject } from '../../models/model';
import type { ToolOffer } from '../../models/tools';
import { jsonSchemaField } from '../shared/schemas';

/** JSON Schema of an answer. */
export const formSchemaField = jsonSchemaField(100_000);

/** The form of an answer that is one call of a tool; undefined where no single tool has to be called. `isContract`: the request has the contract's form. */
export function forcedForm({ tools, choice }: ToolOffer, isContract: boolean): AnswerForm | Refusal | undefined {
  const only = choice === 'required' && tools.length === 1;
  const at = typeof choice === 'object' ? tools.findIndex(({ name }) => name === choice.name) : only ? 0 : -1;
  const tool = tools[at];
  if (!tool) return undefined;
  const { parameters, ...rest } = tool;
  const invalid = (field: string, rule = '') =>
    refuse(
      'invalid_request',
      `Invalid ${isContract ? `tools[${at}].function${field}` : `tools (${tool.name})`}: ${rule}`,
    );
  // Its description is shown to everybody as its parameters are.
  const { error } = formSchemaField.safeParse(tool);
  if (error) return invalid('', error.issues[0]?.message);
  if (!parameters) return { ...rest, schema: strictObject({}), isCall: true };
  const { type = 'object' } = parameters;
  if (![type].flat().includes('object'))
    return invalid('.parameters', 'must have the type object, as the arguments of a call are one');
  return { ...rest, schema: { ...parameters, type: 'object' }, isCall: true };
}
