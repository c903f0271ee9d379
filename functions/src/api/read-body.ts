import type * as z from 'zod';
import { isRefusal, type Refusal, refuse } from '../errors';
import type { ApiRequest } from '../http/route';
import { ignoredIn } from './ensemble-options/ignored';

/**
 * Reads and parses a request's body. The first thing wrong becomes a 400 that names the field: a schema's message says
 * what the field must be ("must be between 0 and 2"), unless it starts with "Invalid", which is then the whole text.
 */
export async function readBody<T>(
  request: Pick<ApiRequest, 'readJson'>,
  schema: z.ZodType<T>,
  flawText = fieldFlaw,
): Promise<T | Refusal> {
  const body = await request.readJson();
  return isRefusal(body) ? body : parsed(body, schema, flawText);
}

/** The same with the body itself. */
export async function readSent<T extends object>(
  request: Pick<ApiRequest, 'readJson'>,
  schema: z.ZodType<T>,
): Promise<(T & { readonly sent: object }) | Refusal> {
  const body = await request.readJson();
  const fields = isRefusal(body) ? body : parsed(body, schema);
  return isRefusal(fields) ? fields : { ...fields, sent: body as object };
}

/** The same with what the body said without effect; `heard` are the fields that are acted on. */
export async function readRunFields<T extends object>(
  request: ApiRequest,
  schema: z.ZodType<T>,
  heard: readonly string[],
): Promise<(T & { readonly sent: object; readonly ignored: readonly string[] }) | Refusal> {
  const fields = await readSent(request, schema);
  return isRefusal(fields) ? fields : { ...fields, ignored: ignoredIn(fields.sent, heard) };
}

function parsed<T>(body: unknown, schema: z.ZodType<T>, flawText = fieldFlaw): T | Refusal {
  const { success, data, error } = schema.safeParse(body);
  if (success) return data;
  return refusalOf(error, flawText);
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
