import { type Refusal, refuse } from '../errors';
import { originOf, type Reservation } from '../ledger/ledger-store';
import { monthStartMs } from '../ledger/month';
import type { UserMonth } from '../ledger/usage-store';
import type { Clock } from '../lib/clock';
import { formatUsd } from '../lib/usd';
import type { Act } from './act';

/** Budgets of a request's key and its user for a UTC month, nano-USD; absent where there is none. */
export interface Budgets {
  readonly keyNanoUsd?: number;
  readonly userNanoUsd?: number;
}

/** Cost of a user's month so far, nano-USD: booked by settled requests, and set aside for open ones. */
export interface Spend {
  readonly userNanoUsd: number;
  /** Keyed by `originOf` a key: rotated keys spend one budget. */
  readonly keysNanoUsd: ReadonlyMap<string, number>;
}

/** A deployment's budget for a month, and what all users have spent of it: booked and set aside. */
export interface ServerSpend {
  readonly budgetNanoUsd: number;
  readonly spentNanoUsd: number;
}

export interface BudgetStore {
  /** Null removes it. Resolves false, recording no act, for a user without a subscription, which it is kept beside. */
  setUserBudget(userId: string, budgetNanoUsd: number | null, act?: Act): Promise<boolean>;
  /** Null removes it. Records the act with it. */
  setServerBudget(budgetNanoUsd: number | null, act?: Act): Promise<void>;
  readSpend(of: UserMonth): Promise<Spend>;
  /** Undefined where there is no budget. May lag behind by what is being committed. */
  readServerSpend(month: string): Promise<ServerSpend | undefined>;
}

export interface UsedUp {
  readonly owner: 'key' | 'user' | 'server';
  readonly month: string;
  readonly budgetNanoUsd: number;
}

export function refuseUsedUp({ owner, month, budgetNanoUsd }: UsedUp): Refusal {
  const budget = owner === 'user' ? 'Your monthly budget' : `The monthly budget of this ${owner}`;
  const left = 'is used up, or set aside for requests under way';
  const anew = new Date(monthStartMs(Date.parse(month), 1)).toISOString().slice(0, 'YYYY-MM-DD'.length);
  return refuse('budget_used_up', `${budget} (${formatUsd(budgetNanoUsd)}) ${left}. It begins anew on ${anew} (UTC).`);
}

type Asking = Pick<Reservation, 'keyId' | 'originId' | 'month' | 'estimateNanoUsd'> & { readonly budgets?: Budgets };

/** One user's spending while requests are decided on: what is let in is set aside for those behind it. */
export class Tally {
  readonly #months: Map<string, { userNanoUsd: number; readonly keysNanoUsd: Map<string, number> }>;

  constructor(spends: ReadonlyMap<string, Spend>) {
    const copies = [...spends].map(([month, { userNanoUsd, keysNanoUsd }]) => {
      return [month, { userNanoUsd, keysNanoUsd: new Map(keysNanoUsd) }] as const;
    });
    this.#months = new Map(copies);
  }

  usedUp({ month, budgets = {}, ...key }: Asking): UsedUp | undefined {
    const spent = this.#months.get(month);
    const { keyNanoUsd, userNanoUsd } = budgets;
    if (keyNanoUsd !== undefined && (spent?.keysNanoUsd.get(originOf(key)) ?? 0) >= keyNanoUsd) {
      return { owner: 'key', month, budgetNanoUsd: keyNanoUsd };
    }
    if (userNanoUsd !== undefined && (spent?.userNanoUsd ?? 0) >= userNanoUsd) {
      return { owner: 'user', month, budgetNanoUsd: userNanoUsd };
    }
    return undefined;
  }

  setAside({ month, estimateNanoUsd = 0, ...key }: Asking): void {
    const spent = this.#months.get(month);
    if (!spent) return;
    spent.userNanoUsd += estimateNanoUsd;
    const origin = originOf(key);
    spent.keysNanoUsd.set(origin, (spent.keysNanoUsd.get(origin) ?? 0) + estimateNanoUsd);
  }
}

/** The months whose spending must be known to decide on requests: none where nobody has a budget. */
export function monthsToTally(requests: readonly Asking[]): string[] {
  const limited = requests.filter(({ budgets = {} }) => Object.keys(budgets).length > 0);
  return [...new Set(limited.map(({ month }) => month))];
}

/** A figure is used this long before it is read again: so often, and not with every request, is it asked for. */
const FRESH_MS = 15_000;
/** A budget that is set where there was none acts within this time. */
const NONE_FRESH_MS = 60_000;

interface Figure {
  readonly month: string;
  readonly readAtMs: number;
  readonly spend: ServerSpend | undefined;
}

/** The deployment's monthly budget: the spending of all users, read every 15 s, and what this process has let in since. */
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
    if (spentNanoUsd + this.#letInNanoUsd >= budgetNanoUsd)
      return refuseUsedUp({ owner: 'server', month, budgetNanoUsd });
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
