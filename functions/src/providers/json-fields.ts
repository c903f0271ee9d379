import { ModelFault } from '../models/model';

/** Some fields of a JSON object, none of which may be relied on. */
export type Fields<K extends string> = { readonly [Key in K]?: unknown };

const NONE: Fields<never> = Object.freeze({});

/** Parses provider JSON. Throws `ModelFault('protocol')`, without the parser's error, which quotes the text. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new ModelFault('protocol');
  }
}

/** Reads a value as an object; anything else reads as one without fields. */
export function fieldsOf<K extends string>(value: unknown): Fields<K> {
  return typeof value === 'object' && value !== null ? value : NONE;
}

/** The first item of an array; undefined for anything else. */
export function firstOf(value: unknown): unknown {
  return Array.isArray(value) ? value[0] : undefined;
}

/** A string as it is; '' for anything else. */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
