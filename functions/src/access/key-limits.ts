import { type Refusal, refuse } from '../errors';
import { fitsPattern } from '../models/model-policy';
import type { EndpointName } from './key-store';
import { ENDPOINT_NAMES, type KeyLimits } from './key-store';

const PATTERNS_MAX = 100;
/** No id is longer (`docs/api.md`, Limits). */
const PATTERN_CHARACTERS_MAX = 200;
const PATTERN = new RegExp(`^[^\\p{Cc}\\p{Cs}]{1,${PATTERN_CHARACTERS_MAX}}$`, 'u');
/** A million US dollars. */
const BUDGET_NANO_USD_MAX = 1e15;

/** Terms by which limits and expiry of a key are judged. */
interface LimitTerms {
  readonly nowMs: number;
  /** Requests of its user in a minute. */
  readonly requestsPerMinuteMax: number;
}

type Wanted = Omit<KeyLimits, 'budgetNanoUsd'> & {
  readonly expiresAtMs?: number | null;
  readonly budgetNanoUsd?: number | null;
};

/** Refusal (400) of limits or an expiry that a key is to have, naming the first as the API calls it; undefined where nothing is wrong. */
export function limitFlaw(wanted: Wanted, terms: LimitTerms): Refusal | undefined {
  const rule = RULES.find(({ isKept }) => !isKept(wanted, terms));
  return rule && refuse('invalid_request', `Invalid ${rule.field}: must be ${rule.text(terms)}`);
}

interface Rule {
  readonly field: string;
  text(terms: LimitTerms): string;
  isKept(wanted: Wanted, terms: LimitTerms): boolean;
}

const RULES: readonly Rule[] = [
  {
    field: 'expiresAt',
    text: () => 'a moment in the future',
    isKept: ({ expiresAtMs }, { nowMs }) =>
      expiresAtMs == null || (Number.isSafeInteger(expiresAtMs) && expiresAtMs > nowMs),
  },
  {
    field: 'models',
    text: () => `1 to ${PATTERNS_MAX} model ids or patterns of at most ${PATTERN_CHARACTERS_MAX} characters`,
    isKept: ({ models }) =>
      models === undefined ||
      (isBetween(models.length, 1, PATTERNS_MAX) && models.every((pattern) => PATTERN.test(pattern))),
  },
  {
    field: 'endpoints',
    text: () => `one or more of ${ENDPOINT_NAMES.join(', ')}`,
    isKept: ({ endpoints }) =>
      endpoints === undefined || (endpoints.length > 0 && endpoints.every((name) => ENDPOINT_NAMES.includes(name))),
  },
  {
    field: 'requestsPerMinute',
    text: ({ requestsPerMinuteMax }) => `an integer from 1 to ${requestsPerMinuteMax}, which is the limit of a user`,
    isKept: ({ requestsPerMinute: rpm }, { requestsPerMinuteMax }) =>
      rpm === undefined || isBetween(rpm, 1, requestsPerMinuteMax),
  },
  {
    field: 'budgetUsd',
    text: () => 'above 0 and at most a million US dollars',
    isKept: ({ budgetNanoUsd: budget }) => budget == null || isBetween(budget, 1, BUDGET_NANO_USD_MAX),
  },
];

function isBetween(value: number, min: number, max: number): boolean {
  return Number.isSafeInteger(value) && value >= min && value <= max;
}

/** A 403 where a key may not use an endpoint. */
export function refuseEndpoint(limits: KeyLimits | undefined, endpoint: EndpointName): Refusal | undefined {
  if (limits?.endpoints?.includes(endpoint) ?? true) return undefined;
  return refuse('not_allowed', `This API key may not use the endpoint ${endpoint}`);
}

/** A 403 that names the first of `modelIds` a key may not use: every model that a request may call must be allowed. */
export function refuseModels(limits: KeyLimits | undefined, modelIds: Iterable<string>): Refusal | undefined {
  for (const id of modelIds) {
    if (!mayUseModel(limits, id)) return refuse('not_allowed', `This API key may not use the model ${id}`);
  }
  return undefined;
}

/** True where a key may use a model. */
export function mayUseModel(limits: KeyLimits | undefined, modelId: string): boolean {
  return limits?.models === undefined || fitsPattern(modelId, limits.models);
}
