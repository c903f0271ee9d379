/** What a participant advised at the beginning of a user's turn. */
export interface Advice {
  /** Id of the participant's seat. */
  readonly seat: string;
  readonly text: string;
  /** The same as the arbiter was shown it, where that is something else. */
  readonly shown?: string;
}

/** Names the turn of one user: nobody else's requests have that id. */
export interface TurnRef {
  readonly userId: string;
  readonly id: string;
}

/** Advice that the requests of a user's turn share, for an hour. */
export interface AdviceStore {
  /** Advice of a turn as it was kept last; undefined where there is none, or its time is over. */
  findAdvice(turn: TurnRef, nowMs: number): Promise<readonly Advice[] | undefined>;
  keepAdvice(turn: TurnRef, advice: readonly Advice[], expiresAtMs: number): Promise<void>;
}
