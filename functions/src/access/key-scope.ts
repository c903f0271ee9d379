import { type Refusal, refuse } from '../errors';
import { fitsPattern } from '../models/model-policy';
import type { EndpointName, KeyLimits } from './key-store';

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
