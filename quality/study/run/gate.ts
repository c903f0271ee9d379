import { Stopped } from '../service/client.ts';

/** The money of a study: nothing is begun that could pass the cap, with all that is under way. */
export class Wallet {
  readonly #capNanoUsd: number;
  #spentNanoUsd: number;
  #reservedNanoUsd = 0;

  constructor(capNanoUsd: number, spentNanoUsd: number) {
    this.#capNanoUsd = capNanoUsd;
    this.#spentNanoUsd = spentNanoUsd;
  }

  get spentNanoUsd(): number {
    return this.#spentNanoUsd;
  }

  /** Sets aside what a call may cost at most; false where it could pass the cap. */
  reserve(nanoUsd: number): boolean {
    if (this.#spentNanoUsd + this.#reservedNanoUsd + nanoUsd > this.#capNanoUsd) return false;
    this.#reservedNanoUsd += nanoUsd;
    return true;
  }

  /** A call is over that `reservedNanoUsd` was set aside for. */
  settle(reservedNanoUsd: number, costNanoUsd: number): void {
    this.#reservedNanoUsd -= reservedNanoUsd;
    this.#spentNanoUsd += costNanoUsd;
  }
}

/** A call that costs something. */
export interface PaidCall<Result> {
  readonly reservedNanoUsd: number;
  /** Just before it is made. */
  began(): void;
  make(): Promise<Result>;
  costOf(result: Result): number;
}

/**
 * Lets so many calls through at once, in the order in which they come, and each only with what it may cost set aside. The
 * first that does not fit, though nothing is under way any more, stops all: what comes after it may not go before it, as the
 * arms are to have the same tasks.
 */
export class Gate {
  readonly #wallet: Wallet;
  readonly #atOnce: number;
  /** Resolves once the call that came last has gone through, or may not. */
  #line = Promise.resolve();
  /** Resolves when a call under way ends, or nothing more is to begin. */
  #news = Promise.withResolvers<void>();
  #underWay = 0;
  #stop: Stopped | undefined;

  constructor(wallet: Wallet, atOnce: number) {
    this.#wallet = wallet;
    this.#atOnce = atOnce;
  }

  /** Nothing is begun any more; what is under way goes on to its end. */
  stop(reason: Stopped): void {
    this.#stop ??= reason;
    this.#news.resolve();
  }

  async pass<Result>(call: PaidCall<Result>): Promise<Result> {
    const turn = this.#line.then(() => this.#turn(call.reservedNanoUsd));
    this.#line = turn.catch(() => undefined);
    await turn;
    let costNanoUsd = call.reservedNanoUsd;
    try {
      call.began();
      const result = await call.make();
      costNanoUsd = call.costOf(result);
      return result;
    } catch (error) {
      this.stop(error instanceof Stopped ? error : new Stopped('failed', String(error)));
      throw error;
    } finally {
      this.#wallet.settle(call.reservedNanoUsd, costNanoUsd);
      this.#underWay -= 1;
      this.#news.resolve();
    }
  }

  async #turn(reservedNanoUsd: number): Promise<void> {
    for (;;) {
      if (this.#stop) throw this.#stop;
      if (this.#underWay < this.#atOnce && this.#wallet.reserve(reservedNanoUsd)) break;
      if (this.#underWay === 0) this.stop(new Stopped('cap', 'the next run could pass --max-usd'));
      else await this.#news.promise;
      this.#news = Promise.withResolvers();
    }
    this.#underWay += 1;
  }
}

/** The results of all, once every one has ended; the first failure, where there is one. Nothing is left running behind it. */
export async function allEnded<Result>(works: readonly Promise<Result>[]): Promise<Result[]> {
  await Promise.allSettled(works);
  return Promise.all(works);
}
