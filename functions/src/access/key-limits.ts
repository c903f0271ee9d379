import { type Refusal, refuse } from '../errors';
import { ENDPOINT_NAMES, type LimitChange } from './key-store';

const PATTERNS_MAX = 100;
/** No id is longer (`docs/api.md`, Limits). */
const PATTERN_CHARACTERS_MAX = 200;
const PATTERN = new RegExp(`^[^\\p{Cc}\\p{Cs}]{1,${PATTERN_CHARACTERS_MAX}}$`, 'u');
const BUDGET_NANO_USD_MAX = 1e15;

interface LimitTerms {
  readonly nowMs: number;
  readonly requestsPerMinuteMax: number;
}

type Wanted = LimitChange & { readonly expiresAtMs?: number | null };

/** Refusal (400) of limits or an expiry that a key is to have, naming the first as the API calls it; undefined where nothing is wrong. */
export function limitFlaw(wanted: Wanted, { nowMs, requestsPerMinuteMax }: LimitTerms): Refusal | undefined {
  const { expiresAtMs: ends, models, endpoints, requestsPerMinute: rpm, budgetNanoUsd: budget } = wanted;
  const rules: readonly (readonly [field: string, isKept: boolean, rule: string])[] = [
    ['expiresAt', ends == null || (Number.isSafeInteger(ends) && ends > nowMs), 'a moment in the future'],
    [
      'models',
      models == null || (isBetween(models.length, 1, PATTERNS_MAX) && models.every((id) => PATTERN.test(id))),
      `1 to ${PATTERNS_MAX} model ids or patterns of at most ${PATTERN_CHARACTERS_MAX} characters`,
    ],
    [
      'endpoints',
      endpoints == null || (endpoints.length > 0 && endpoints.every((name) => ENDPOINT_NAMES.includes(name))),
      `one or more of ${ENDPOINT_NAMES.join(', ')}`,
    ],
    [
      'requestsPerMinute',
      rpm == null || isBetween(rpm, 1, requestsPerMinuteMax),
      `an integer from 1 to ${requestsPerMinuteMax}, which is the limit of a user`,
    ],
    [
      'budgetUsd',
      budget == null || isBetween(budget, 1, BUDGET_NANO_USD_MAX),
      'above 0 and at most a million US dollars',
    ],
  ];
  const [field, , rule] = rules.find(([, isKept]) => !isKept) ?? [];
  return field === undefined ? undefined : refuse('invalid_request', `Invalid ${field}: must be ${rule}`);
}

function isBetween(value: number, min: number, max: number): boolean {
  return Number.isSafeInteger(value) && value >= min && value <= max;
}
