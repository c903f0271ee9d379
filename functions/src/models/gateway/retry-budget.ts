import type { ProviderId } from '../catalog';

/** A request may make so many of its calls again … */
const RETRIES_MIN = 2;
/** … and besides, this share of all of them. */
const RETRIES_SHARE = 0.1;

/** Calls of one request that a provider is working on, and those that it has answered. */
interface Service {
  underWay: number;
  answered: number;
}

/**
 * Budget of the calls of one request that may be made again: when many fail at once, repeating them all makes it worse. What its
 * providers do for it says whether a refusal is for the moment.
 */
export class RetryBudget {
  readonly #services = new Map<ProviderId, Service>();
  #calls = 0;
  #retries = 0;

  /** A call is made for the first time. */
  called(): void {
    this.#calls += 1;
  }

  /** Service of a provider for the request, now and later. */
  serviceAt(provider: ProviderId): Service {
    const service = this.#services.get(provider) ?? { underWay: 0, answered: 0 };
    this.#services.set(provider, service);
    return service;
  }

  /** Takes one retry; false when there is none left. */
  take(): boolean {
    if (this.#retries >= RETRIES_MIN + Math.floor(this.#calls * RETRIES_SHARE)) return false;
    this.#retries += 1;
    return true;
  }
}
