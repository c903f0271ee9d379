import type { Log } from '../lib/log';
import { Lru } from '../lib/lru';

/** Ids are free text of callers: so many are remembered. */
const REMEMBERED_MAX = 1_000;

/** Says that a model's price is not known; `where` joins the line to the request that called it first. */
export type TellUnpriced = (modelId: string, where: object) => void;

/** Says it once for each model in the life of a process: a server without prices would say nothing else. */
export function createTellUnpriced(log: Log): TellUnpriced {
  const told = new Lru<string, true>(REMEMBERED_MAX);
  return (modelId, where) => {
    if (told.get(modelId)) return;
    told.set(modelId, true);
    log.warn('no price known', { ...where, modelId });
  };
}
