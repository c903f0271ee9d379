import Ajv2020 from 'ajv/dist/2020';

/** UTC, as replies have it; requests may leave out the thousandths. */
const MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{3})?Z$/;

export type Json = Readonly<Record<string, unknown>>;

/** The description of the API, and what does not fit it. */
export interface Description {
  readonly paths: Readonly<Record<string, Readonly<Record<string, DescribedOperation>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, Json>>;
    readonly responses: Readonly<Record<string, DescribedReply>>;
  };
}

interface DescribedOperation {
  readonly requestBody?: { readonly content: { readonly 'application/json': DescribedContent } };
  readonly responses: Readonly<Record<string, DescribedReply>>;
}

interface DescribedReply {
  readonly content?: Readonly<Record<string, DescribedContent>>;
}

interface DescribedContent {
  readonly schema: Json;
  readonly example?: Json;
  readonly examples?: Readonly<Record<string, { readonly value: Json }>>;
}

/** Checks values against schemas of the description: what fits no field of theirs is a flaw, though clients may ignore it. */
export function descriptionChecks(description: Description) {
  const ajv = new Ajv2020({ strict: false, allErrors: true, formats: { 'date-time': MOMENT } });
  ajv.addSchema({ $id: 'api', components: closed(description.components, false) });
  const validators = new Map<string, ReturnType<typeof ajv.compile>>();
  /** In words; empty for what fits. */
  return (schema: Json, value: unknown): string => {
    const within = JSON.stringify(schema).replaceAll('"#/', '"api#/');
    const validate = validators.get(within) ?? ajv.compile(JSON.parse(within));
    validators.set(within, validate);
    return validate(value) ? '' : ajv.errorsText(validate.errors);
  };
}

/** A schema whose objects have no fields but those that it names. */
function closed(schema: unknown, isSchema: boolean): unknown {
  if (Array.isArray(schema)) return schema.map((each) => closed(each, true));
  if (typeof schema !== 'object' || schema === null) return schema;
  const open = schema as Json;
  const inner = Object.fromEntries(Object.entries(open).map(([key, value]) => [key, closed(value, true)]));
  const isObject =
    isSchema && open['type'] === 'object' && open['properties'] && open['additionalProperties'] === undefined;
  return isObject ? { ...inner, additionalProperties: false } : inner;
}
