/** Closed and without optional members: a provider can hold a model to it. */
export const SCHEMA = {
  type: 'object',
  properties: { fruit: { type: 'boolean' }, why: { type: 'string' } },
  required: ['fruit', 'why'],
  additionalProperties: false,
};
/** The schema with its name. */
export const FORM = { name: 'verdict', schema: SCHEMA, strict: true };
/** The same as `response_format`. */
export const FORMAT = { type: 'json_schema', json_schema: FORM };
/** What meets it. */
export const GOOD = '{"fruit": true, "why": "It has seeds."}';
