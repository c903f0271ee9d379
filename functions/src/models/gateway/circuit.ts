/** Everybody is spared a model after so many requests to it within this time, … */
const REQUESTS_MIN = 10;
const WINDOW_MS = 30_000;
/** … of at least so many users whose requests failed, … */
const USERS_MIN = 3;
/** … when this share of them did. Each user's requests weigh as much as any other's, however many there are. */
const FAILED_SHARE = 0.5;
/** Where fewer ask it, those users are spared it when so many requests in a row have failed. */
const FAILED_IN_A_ROW = 20;
/** So long nobody is let through; then one call at a time of a user whose own calls have failed. */
const SPARED_MS = 15_000;
/** When no such call has said more by then, the model is open to everybody again. */
const FORGOTTEN_AFTER_MS = 60_000;
/** The requests that are looked at. */
const REQUESTS_KEPT = 100;

/** A request at a model, and whose it is. */
interface Asker {
  readonly userId: string;
  readonly requestId: string;
}

/** How a request's latest call of the model ended. */
interface Outcome {
  readonly userId: string;
  readonly atMs: number;
  readonly failed: boolean;
}

/** Who is spared the model, and until when. */
interface Spared {
  readonly sinceMs: number;
  /** Those whose requests have failed: they alone find out whether the model is back. */
  readonly users: ReadonlySet<string>;
  readonly everybody: boolean;
}

/**
 * What the requests of a process have found out about one model. A request counts once, however many calls of the model
 * it makes: as the latest of them ended. No user can close a model to another: it takes failed requests of three.
 *
 * A probe is a call that its user has asked for anyway, never one more; it is left to users whose own calls have failed,
 * so that nobody else pays for a model that is known to be down.
 */
export class Circuit {
  /** By request, the latest last. */
  readonly #outcomes = new Map<string, Outcome>();
  #spared: Spared | undefined;
  #probing = false;

  /** Whether a call may be made, and whether it is the one that finds out whether the model is back. */
  admit({ userId }: Asker, nowMs: number): 'call' | 'probe' | 'spared' {
    const spared = this.#spared;
    if (!spared || !(spared.everybody || spared.users.has(userId))) return 'call';
    if (nowMs >= spared.sinceMs + FORGOTTEN_AFTER_MS) {
      this.answers();
      return 'call';
    }
    if (this.#probing || nowMs < spared.sinceMs + SPARED_MS || !spared.users.has(userId)) return 'spared';
    this.#probing = true;
    return 'probe';
  }

  /** The call that was to find out is over; how it ended is told besides. */
  probeEnded(): void {
    this.#probing = false;
  }

  /** A call failed in a way that tells of the model: true when it is spared from now on. */
  failed(asker: Asker, nowMs: number): boolean {
    this.#note(asker, { atMs: nowMs, failed: true });
    const before = this.#spared;
    const found = this.#failingNow(nowMs) ?? this.#failingInARow();
    // Also a call that was begun before tells that the model is still down.
    const users = new Set([...(before?.users ?? []), ...(found?.users ?? []), asker.userId]);
    if (found)
      this.#spared = { ...found, users, sinceMs: nowMs, everybody: found.everybody || before?.everybody === true };
    else if (before?.users.has(asker.userId)) this.#spared = { ...before, sinceMs: nowMs };
    return found !== undefined && before === undefined;
  }

  /** A call was answered. */
  answered(asker: Asker, nowMs: number): void {
    if (this.#spared) this.answers();
    else this.#note(asker, { atMs: nowMs, failed: false });
  }

  /** The model answers, be it by a refusal: it is open to everybody, and counting begins anew. */
  answers(): void {
    if (!this.#spared) return;
    this.#spared = undefined;
    this.#probing = false;
    this.#outcomes.clear();
  }

  #note({ userId, requestId }: Asker, outcome: Omit<Outcome, 'userId'>): void {
    this.#outcomes.delete(requestId);
    this.#outcomes.set(requestId, { userId, ...outcome });
    if (this.#outcomes.size <= REQUESTS_KEPT) return;
    const oldest = this.#outcomes.keys().next();
    if (!oldest.done) this.#outcomes.delete(oldest.value);
  }

  /** Many users' requests of the last half minute failed. */
  #failingNow(nowMs: number): Omit<Spared, 'sinceMs'> | undefined {
    const recent = [...this.#outcomes.values()].filter(({ atMs }) => atMs > nowMs - WINDOW_MS);
    if (recent.length < REQUESTS_MIN) return undefined;
    const byUser = [...Map.groupBy(recent, ({ userId }) => userId)].map(([userId, outcomes]) => {
      const failures = outcomes.filter(({ failed }) => failed).length;
      return { userId, share: failures / outcomes.length };
    });
    const failing = byUser.filter(({ share }) => share > 0);
    const share = failing.reduce((sum, user) => sum + user.share, 0) / byUser.length;
    if (failing.length < USERS_MIN || share < FAILED_SHARE) return undefined;
    return { users: new Set(failing.map(({ userId }) => userId)), everybody: true };
  }

  /** However few ask, and however seldom: none of the latest requests was answered. */
  #failingInARow(): Omit<Spared, 'sinceMs'> | undefined {
    const latest = [...this.#outcomes.values()].slice(-FAILED_IN_A_ROW);
    if (latest.length < FAILED_IN_A_ROW || latest.some(({ failed }) => !failed)) return undefined;
    const users = new Set(latest.map(({ userId }) => userId));
    return { users, everybody: users.size >= USERS_MIN };
  }
}
