import { type JsonLimits, jsonExcess } from '../../lib/json';
import { lastJson } from '../../prompting/json-in-reply';
import { isJsonObject } from '../../prompting/json-schema/canonical-json';
import { beginTurn, checkSchema, type SchemaVerdict } from '../../prompting/json-schema/check-schema';
import type { AnswerForm } from './answer-form';

/** More than any answer of sense holds: beyond it a text is not even parsed, which would hold everybody up. */
const LIMITS: JsonLimits = { depthMax: 64, valuesMax: 100_000 };
const CHARACTERS_MAX = 1_000_000;
const COMPARED_CHARACTERS_MAX = 500_000;

/** A text as the form reads it. */
export interface AnswerReading extends SchemaVerdict {
  /** The JSON alone, as it was written; the whole text where there is none. */
  readonly text: string;
  /** Value of the JSON; undefined where there is none. */
  readonly value?: unknown;
}

/** The JSON value in a text, the last of several; undefined where there is none, or too much of it. */
export function jsonIn(text: string): { readonly text: string; readonly value: unknown } | undefined {
  if (text.length > CHARACTERS_MAX || jsonExcess(Buffer.from(text), LIMITS) !== undefined) return undefined;
  return lastJson(text, (value, json) => ({ value, text: json.trim() }));
}

/** Tells whether texts are too long, all together, to be compared without holding everybody up. */
export function areTooLong(texts: readonly string[]): boolean {
  return texts.reduce((sum, { length }) => sum + length, 0) > COMPARED_CHARACTERS_MAX;
}

/** Reads an answer that is to be in a form, and says what is wrong with it. */
export function readAnswer(text: string, { schema }: AnswerForm): AnswerReading {
  const isTurnOver = beginTurn();
  const found = jsonIn(text);
  if (!found) return { text, flaws: ['it is not one JSON value'], givenUp: false };
  if (schema) return { ...found, ...checkSchema(schema, found.value, isTurnOver) };
  return { ...found, flaws: isJsonObject(found.value) ? [] : ['the value must be object'], givenUp: false };
}
