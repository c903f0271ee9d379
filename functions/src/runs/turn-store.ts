/** Advice of a participant at the beginning of a user's turn. */
export interface Advice {
  /** Id of the participant's seat. */
  readonly seat: string;
  readonly text: string;
  /** The same as the arbiter was shown it, where that is something else. */
  readonly shown?: string;
}

/** Words of the service that stand below a message of the user, of a turn that is over. */
export interface EarlierWords {
  /** Place of the message among those of the conversation. */
  readonly at: number;
  readonly words: string;
}

/** Advice, earlier advice and count of reviews, which the requests of a user's turn share. */
export interface KeptTurn {
  readonly advice: readonly Advice[];
  /** The same in all requests of the turn; absent where nothing is known of the turns before. */
  readonly earlier?: readonly EarlierWords[] | undefined;
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
