import type * as z from 'zod';
import { isRefusal, type Refusal, refuse } from '../errors';
import type { ApiRequest } from '../http/route';

/**
 * Reads and parses a request's body. The first thing wrong becomes a 400 that names the field: a schema's message says
 * what the field must be ("must be between 0 and 2"), unless it starts with "Invalid", which is then the whole text.
 */
export async function readBody<T>(
  request: ApiRequest,
  schema: z.ZodType<T>,
  flawText = namingField,
): Promise<T | Refusal> {
  const body = await request.readJson();
  if (isRefusal(body)) return body;
  const parsed = schema.safeParse(body);
  if (parsed.success) return parsed.data;
  return refusalOf(parsed.error, flawText);
}

/** The first thing wrong, as a 400. */
export function refusalOf({ issues }: z.ZodError, flawText = namingField): Refusal {
  const { path = [], message = 'must be valid' } = issues[0] ?? {};
  return refuse('invalid_request', message.startsWith('Invalid') ? message : flawText(fieldName(path), message));
}

function namingField(field: string, rule: string): string {
  return `Invalid ${field}: ${rule}`;
}

/** `['ai_ensemble', 'models', 1]` → `ai_ensemble.models[1]`. */
function fieldName(path: readonly PropertyKey[]): string {
  return path
    .map((part, index) => (typeof part === 'number' ? `[${part}]` : `${index > 0 ? '.' : ''}${String(part)}`))
    .join('');
}
