/*
 * The form of the answer: JSON, where the caller has asked for it. What it is (`answer-form`), how models are told of it
 * (`form-words`), how an answer is read and checked (`read-answer`), and how far candidates agree with it (`agreement-by-place`).
 * Imports `prompting/` and the model port; must not know calls.
 */
import type { OutputSchema } from '../../models/model';
import { isClosedSchema } from './closed-schema';

/** The JSON that the final answer is to be. */
export interface AnswerForm {
  /** The caller's name for it: letters, digits, `_` and `-`, at most 64. */
  readonly name: string;
  /** Absent where any JSON object will do. */
  readonly schema?: { readonly [keyword: string]: unknown };
  /** What it is for, in the caller's words. */
  readonly description?: string;
  /** Whether a provider is to enforce it word by word; absent where the caller has not said. */
  readonly strict?: boolean;
}

/** The form as providers are told it. A schema that is open somewhere is more than all of them can enforce. */
export function outputSchemaOf({ name, schema, strict = true }: AnswerForm): OutputSchema {
  return schema ? { name, schema, strict: strict && isClosedSchema(schema) } : { name };
}
