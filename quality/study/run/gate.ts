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
  readonly #waiting: (() => void)[] = [];
  #underWay = 0;
  #stop: Stopped | undefined;

  constructor(wallet: Wallet, atOnce: number) {
    this.#wallet = wallet;
    this.#atOnce = atOnce;
  }

  /** Nothing is begun any more; what is under way goes on to its end. */
  stop(reason: Stopped): void {
    this.#stop ??= reason;
    for (const go of this.#waiting.splice(0)) go();
  }

  async pass<Result>(call: PaidCall<Result>): Promise<Result> {
    await this.#turn(call.reservedNanoUsd);
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
      this.#waiting.shift()?.();
    }
  }

  async #turn(reservedNanoUsd: number): Promise<void> {
    let mayGo = this.#waiting.length === 0;
    let isNew = true;
    for (;;) {
      if (this.#stop) throw this.#stop;
      if (mayGo && this.#underWay < this.#atOnce && this.#wallet.reserve(reservedNanoUsd)) break;
      if (mayGo && this.#underWay === 0) {
        this.stop(new Stopped('cap', 'the next run could pass --max-usd'));
        continue;
      }
      await new Promise<void>((resolve) => this.#waiting[isNew ? 'push' : 'unshift'](resolve));
      [mayGo, isNew] = [true, false];
    }
    this.#underWay += 1;
    // Where another place is free, the one behind may go, too.
    if (this.#underWay < this.#atOnce) this.#waiting.shift()?.();
  }
}

/** The results of all, once every one has ended; the first failure, where there is one. Nothing is left running behind it. */
export async function allEnded<Result>(works: readonly Promise<Result>[]): Promise<Result[]> {
  await Promise.allSettled(works);
  return Promise.all(works);
}
