/** Advice of a participant at the beginning of a user's turn. */
export interface Advice {
  /** Id of the participant's seat. */
  readonly seat: string;
  readonly text: string;
  /** The same as the arbiter was shown it, where that is something else. */
  readonly shown?: string;
}

/** Advice and count of reviews, which the requests of a user's turn share. */
export interface KeptTurn {
  readonly advice: readonly Advice[];
  /** Reviews of a reply that were made so far. */
  readonly reviews: number;
}

/** Names the turn of one user: nobody else's requests have that id. */
export interface TurnRef {
  readonly userId: string;
  readonly id: string;
}

/** Turns of users whose agents work, for an hour each. */
export interface TurnStore {
  /** A turn as it was kept last; undefined where it was not, or its time is over. */
  findTurn(turn: TurnRef, nowMs: number): Promise<KeptTurn | undefined>;
  keepTurn(turn: TurnRef, kept: KeptTurn, expiresAtMs: number): Promise<void>;
}
