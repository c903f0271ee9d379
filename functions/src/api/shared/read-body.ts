import type * as z from 'zod';
import { isRefusal, type Refusal, refuse } from '../../errors';
import type { ApiRequest } from '../../http/route';

/**
 * Reads and validates a request's body. The first thing wrong becomes a 400 that names the field: a schema's message says
 * what the field must be ("must be between 0 and 2"), unless it starts with "Invalid", which is then the whole text.
 */
export async function readBody<S extends z.ZodType>(
  request: Pick<ApiRequest, 'readJson'>,
  schema: S,
  flawText = fieldFlaw,
): Promise<(z.output<S> & { readonly sent: object }) | Refusal> {
  const body = await request.readJson();
  if (isRefusal(body)) return body;
  const { success, data, error } = schema.safeParse(body);
  return success ? { ...(data as object & z.output<S>), sent: body as object } : refusalOf(error, flawText);
}

/** The first thing wrong, as a 400. */
export function refusalOf({ issues }: z.ZodError, flawText = fieldFlaw): Refusal {
  const { path = [], message = 'must be valid' } = issues[0] ?? {};
  return refuse('invalid_request', message.startsWith('Invalid') ? message : flawText(fieldName(path), message));
}

function fieldFlaw(field: string, rule: string): string {
  return `Invalid ${field}: ${rule}`;
}

/** `['ai_ensemble', 'models', 1]` → `ai_ensemble.models[1]`. */
function fieldName(path: readonly PropertyKey[]): string {
  return path
    .map((part, index) => (typeof part === 'number' ? `[${part}]` : `${index > 0 ? '.' : ''}${String(part)}`))
    .join('');
}
