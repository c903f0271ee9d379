import * as z from 'zod';
import { isRefusal, type Refusal, refuse } from '../errors';
import type { ApiRequest } from './endpoint';

/**
 * Reads and parses a request's body. The first thing wrong becomes a 400 that names the field: a schema's message says
 * what the field must be ("must be between 0 and 2"), unless it starts with "Invalid", which is then the whole text.
 */
export async function readBody<T>(request: ApiRequest, schema: z.ZodType<T>): Promise<T | Refusal> {
  const body = await request.readJson();
  return isRefusal(body) ? body : parseBody(schema, body);
}

function parseBody<T>(schema: z.ZodType<T>, body: unknown): T | Refusal {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    return refuse('invalid_request', 'Invalid request body: must be a JSON object');
  }
  const parsed = schema.safeParse(withoutNulls(body));
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  const message = issue?.message ?? 'must be valid';
  return refuse(
    'invalid_request',
    message.startsWith('Invalid') ? message : `Invalid ${fieldName(issue?.path ?? [])}: ${message}`,
  );
}

/** An object schema in which an explicit null means absent, as many SDK wrappers send it; unknown fields are ignored. */
export function objectOf<S extends z.ZodRawShape>(
  shape: S,
  message: string,
): z.ZodPipe<z.ZodTransform, z.ZodObject<S>> {
  return z.preprocess(
    (value) => (typeof value === 'object' && value !== null && !Array.isArray(value) ? withoutNulls(value) : value),
    z.object(shape, message),
  ) as unknown as z.ZodPipe<z.ZodTransform, z.ZodObject<S>>;
}

/** `['ai_ensemble', 'models', 1]` → `ai_ensemble.models[1]`. */
function fieldName(path: readonly PropertyKey[]): string {
  return path
    .map((part, index) => (typeof part === 'number' ? `[${part}]` : `${index > 0 ? '.' : ''}${String(part)}`))
    .join('');
}

function withoutNulls(value: object): object {
  return Object.fromEntries(Object.entries(value).filter(([, field]) => field !== null));
}
