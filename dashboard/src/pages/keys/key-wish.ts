import type { Schema } from '../../api/client';
import { budgetOf } from './budget';
import { type Expiry, expiresAtOf, expiryOf, NEVER } from './expiry';
import type { Key } from './keys';

/** The endpoints that a key may be limited to. */
export const ENDPOINTS = [
  'chat.completions',
  'responses',
  'messages',
  'mcp',
  'evaluations',
  'runs',
  'usage',
  'models',
] as const;
export type Endpoint = (typeof ENDPOINTS)[number];

/** The wishes of a user for a key, as they stand in the fields. */
export interface KeyFieldValues {
  readonly name: string;
  /** Undefined: its end is not the user's to choose. */
  readonly expiry?: Expiry;
  readonly budget: string;
  readonly models: string;
  /** None: all. */
  readonly endpoints: readonly Endpoint[];
  readonly requestsPerMinute: string;
}

/** The wishes of a user for a key, as a request for a new one says them. */
export type KeyWish = Schema<'NewKey'>;
export type KeyFlaws = { readonly [Field in keyof KeyWish]?: string };

/** The fields of a key as it is; of a new one without a key. */
export function valuesOf(key?: Key): KeyFieldValues {
  return {
    name: key?.name ?? '',
    ...(key?.state !== 'rotating' && { expiry: key ? expiryOf(key.expiresAt) : NEVER }),
    budget: String(key?.budgetUsd ?? ''),
    models: key?.models?.join(', ') ?? '',
    endpoints: key?.endpoints ?? [],
    requestsPerMinute: String(key?.requestsPerMinute ?? ''),
  };
}

/** The wish that some fields say, or what is wrong with them. */
export function wishOf(values: KeyFieldValues, nowMs: number): KeyWish | { readonly flaws: KeyFlaws } {
  const { name, expiry, endpoints } = values;
  const expiresAt = expiry && expiresAtOf(expiry, nowMs);
  const budgetUsd = budgetOf(values.budget);
  const requestsPerMinute = budgetOf(values.requestsPerMinute);
  if (expiresAt === null) return { flaws: { expiresAt: 'Choose a day.' } };
  if (budgetUsd === null) return { flaws: { budgetUsd: 'Write dollars like 5 or 12.50.' } };
  if (requestsPerMinute === null) return { flaws: { requestsPerMinute: 'Write a number like 10.' } };
  const models = values.models.split(',').flatMap((id) => id.trim() || []);
  return {
    name,
    ...(expiresAt !== undefined && { expiresAt }),
    ...(budgetUsd !== undefined && { budgetUsd }),
    ...(models.length > 0 && { models }),
    ...(endpoints.length > 0 && { endpoints: [...endpoints] }),
    ...(requestsPerMinute !== undefined && { requestsPerMinute }),
  };
}

const NONE = {
  expiresAt: 'never',
  budgetUsd: 'none',
  models: 'none',
  endpoints: 'none',
  requestsPerMinute: 'none',
} as const;
const FIELDS = ['name', 'expiresAt', 'budgetUsd', 'models', 'endpoints', 'requestsPerMinute'] as const;

/** The part of a wish that differs from the key as its fields show it. */
export function editOf(key: Key, wish: KeyWish, nowMs: number): Schema<'KeyEdit'> {
  const shown = wishOf(valuesOf(key), nowMs);
  const before: Partial<KeyWish> = 'flaws' in shown ? {} : shown;
  const changed = FIELDS.filter((field) => JSON.stringify(wish[field]) !== JSON.stringify(before[field]));
  return Object.fromEntries(
    changed.map((field) => [field, wish[field] ?? (field === 'name' ? wish.name : NONE[field])]),
  );
}
