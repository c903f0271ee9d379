import type * as z from 'zod';
import type { JsonSchema } from '../schema-notes';
import type { Examples } from './examples';
import type { Operation } from './operations';

/** An operation of the dashboard, as its rows say it; what all have in common is added to them. */
export type AccountOperation = Omit<Operation, 'tag' | 'signedIn' | 'failures'> & {
  readonly failures?: readonly number[];
};

/** How operations with a body fail … */
export const WRITE_FAILURES = [400, 401, 403, 408, 413, 415, 429, 500, 503];
/** … and those of one thing, which may not be there. */
export const ONE_FAILURES = [...WRITE_FAILURES, 404];

/** A body, with one example. */
export function bodyOf(name: string, schema: z.ZodType, value: object): NonNullable<Operation['body']> {
  return { name, schema, examples: { usual: { summary: 'As usual', value } } satisfies Examples };
}

/** The id in the path. */
export function idOf(description: string): JsonSchema {
  return { name: 'id', in: 'path', required: true, description, schema: { type: 'string' } };
}

/** A parameter in the query. */
export function queryOf(name: string, schema: JsonSchema, description: string): JsonSchema {
  return { name, in: 'query', description, schema };
}
