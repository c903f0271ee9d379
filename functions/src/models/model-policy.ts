import type { Clock } from '../lib/clock';
import type { ModelRow } from './catalog';
import { fitsPattern } from './model-pattern';
import { ratesOf } from './prices';

/** Which models a deployment lets its users call. */
export interface ModelPolicySettings {
  /** Patterns of ids, `*` for any characters; none: every model. */
  readonly modelsAllowed: readonly string[];
  readonly unpriced: 'allow' | 'refuse';
}

/** What a model would have to be, in words for the client; undefined for one that may be called. */
export type ModelFlaw = (model: ModelRow) => string | undefined;

/** The rule of a deployment. Router models are not its concern: each user calls them, and pays for them, with a key of one's own. */
export function modelPolicy({ modelsAllowed, unpriced }: ModelPolicySettings, clock: Clock): ModelFlaw {
  return (model) => {
    if (model.provider === 'router') return undefined;
    if (modelsAllowed.length > 0 && !fitsPattern(model.id, modelsAllowed))
      return 'must be a model that this server allows';
    if (unpriced === 'refuse' && ratesOf(model, clock.nowMs()) === null) return 'must be a model with a known price';
    return undefined;
  };
}
