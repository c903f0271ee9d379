import type { Refusal } from '../errors';
import type { Reservation } from '../ledger/ledger-store';
import type { Clock } from '../lib/clock';
import { type BudgetStore, refuseUsedUp, type ServerSpend } from './budget';

/** A figure is used this long before it is read again: so often, and not with every request, is it asked for. */
const FRESH_MS = 15_000;
/** A budget that is set where there was none acts within this time. */
const NONE_FRESH_MS = 60_000;

interface Figure {
  readonly month: string;
  readonly readAtMs: number;
  /** Undefined: there is no budget. */
  readonly spend: ServerSpend | undefined;
}

/**
 * The deployment's monthly budget, as one process knows it: what all users have spent, read every 15 seconds, and what
 * this process has let in since. So all processes together may go beyond it by the runs under way and by what they let in
 * within 15 seconds; a figure exact to the request would be one document that every request of every user writes.
 */
export class ServerBudget {
  readonly #store: Pick<BudgetStore, 'readServerSpend'>;
  readonly #clock: Clock;
  #figure: Figure | undefined;
  #reading: Promise<Figure> | undefined;
  #letInNanoUsd = 0;

  constructor(store: Pick<BudgetStore, 'readServerSpend'>, clock: Clock) {
    this.#store = store;
    this.#clock = clock;
  }

  /** A 403 when the month's budget is used up; else the request's estimate is set aside. Rejects when it cannot be read. */
  async refusal({
    month,
    estimateNanoUsd = 0,
  }: Pick<Reservation, 'month' | 'estimateNanoUsd'>): Promise<Refusal | undefined> {
    const { spend } = this.#fresh(month) ?? (await this.#read(month));
    if (!spend) return undefined;
    const { budgetNanoUsd, spentNanoUsd } = spend;
    if (spentNanoUsd + this.#letInNanoUsd >= budgetNanoUsd) return refuseUsedUp({ owner: 'server', budgetNanoUsd });
    this.#letInNanoUsd += estimateNanoUsd;
    return undefined;
  }

  #fresh(month: string): Figure | undefined {
    const figure = this.#figure;
    if (figure?.month !== month) return undefined;
    const ageMs = this.#clock.monotonicMs() - figure.readAtMs;
    return Math.abs(ageMs) < (figure.spend ? FRESH_MS : NONE_FRESH_MS) ? figure : undefined;
  }

  /** Requests that wait for the figure wait for one reading of it. */
  #read(month: string): Promise<Figure> {
    this.#reading ??= this.#readAnew(month).finally(() => {
      this.#reading = undefined;
    });
    return this.#reading;
  }

  async #readAnew(month: string): Promise<Figure> {
    const readAtMs = this.#clock.monotonicMs();
    const letInBefore = this.#letInNanoUsd;
    const spend = await this.#store.readServerSpend(month);
    this.#figure = { month, readAtMs, spend };
    // What was let in while it was read may not be in it yet.
    this.#letInNanoUsd -= letInBefore;
    return this.#figure;
  }
}
