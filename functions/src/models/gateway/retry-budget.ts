import type { ProviderId } from '../catalog';

/** Retries that every request has … */
const RETRIES_MIN = 2;
/** … and besides, this share of its calls. */
const RETRIES_SHARE = 0.1;

/** Calls of one request at one provider. */
interface Service {
  underWay: number;
  answered: number;
}

/** Retries of one request, and the calls that its providers serve: when many fail at once, repeating all makes it worse. */
export class RetryBudget {
  readonly #services = new Map<ProviderId, Service>();
  #calls = 0;
  #retries = 0;

  /** Counts a call that is made for the first time. */
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
