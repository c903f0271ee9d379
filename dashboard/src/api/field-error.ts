import { ApiError } from './api-error';

const FIELD_FLAW = /^Invalid (?<field>[A-Za-z]+): (?<rule>.+)$/s;

/** Splits what the API refused by the field that it named; `other` is an error that names none of these fields. */
export function fieldErrors<Field extends string>(
  error: unknown,
  fields: readonly Field[],
): { readonly byField: { readonly [Name in Field]?: string }; readonly other: unknown } {
  if (!(error instanceof ApiError)) return { byField: {}, other: error };
  const { field, rule = '' } = FIELD_FLAW.exec(error.message)?.groups ?? {};
  const known = fields.find((name) => name === field);
  if (known === undefined) return { byField: {}, other: error };
  const byField: { [Name in Field]?: string } = {};
  byField[known] = sentence(rule, error.requestId);
  return { byField, other: undefined };
}

function sentence(rule: string, requestId: string | undefined): string {
  const text = `${rule.slice(0, 1).toUpperCase()}${rule.slice(1)}.`;
  return requestId === undefined ? text : `${text} (Request ${requestId})`;
}
