/** The signed-in user, as pages show it. */
export interface Account {
  /** Tells accounts apart. */
  readonly id: string;
  /** A name or an e-mail address. */
  readonly name: string;
}

/**
 * The state of the sign-in: not yet known, nobody, nobody but somebody has opened a link from an e-mail and must say the
 * address that it was sent to, or who.
 */
export type SignInState =
  | { readonly is: 'unknown' }
  | { readonly is: 'nobody'; readonly reason?: Error }
  | { readonly is: 'link' }
  | { readonly is: 'somebody'; readonly account: Account };

/** The ways to sign in and out. What fails is told as an `ApiError`, in words for people. */
export interface SignInWays {
  withGoogle(): Promise<void>;
  /** Sends an e-mail with a link that signs its reader in. */
  sendLink(email: string): Promise<void>;
  /** Signs in with the link that was opened, and the address that it was sent to. */
  finishLink(email: string): Promise<void>;
  signOut(): Promise<void>;
  /** Being asked for: that whoever is signed in shows it again. */
  confirmation(): Confirmation | undefined;
}

/** Asks a user to show again who they are. It ends with the first way that succeeds, or with `cancel`. */
export interface Confirmation {
  readonly hasGoogle: boolean;
  /** The address that a link can be sent to; absent: the account has none. */
  readonly email: string | undefined;
  withGoogle(): Promise<void>;
  sendLink(): Promise<void>;
  /** Ends it where the link has been opened, in another window of this browser. */
  look(): Promise<void>;
  cancel(): void;
}

/** Proves whose the dashboard's requests are: by a cookie on a machine of one's own, else with Firebase. */
export interface Session {
  /** `embedded`: the server is of this machine alone, and signs nobody in or out. */
  readonly mode: 'embedded' | 'firebase';
  /** The base URL of the API for programs, ending in `/v1`. */
  readonly baseUrl: string;
  /** The server that streams come from, without a slash at its end. */
  streamServer(): Promise<string>;
  /** True if runs are shared by links. */
  readonly hasRunLinks: boolean;
  /** Absent where nobody signs in or out. */
  readonly ways?: SignInWays;
  state(): SignInState;
  /** Calls back after each change of `state` and of `confirmation`; returns what ends that. */
  onChange(callback: () => void): () => void;
  /** The headers that prove who asks. */
  proof(): Promise<Readonly<Record<string, string>>>;
  /** Gets a new proof that it is the dashboard that asks (App Check); false where there is none to be had. */
  renewApp(): Promise<boolean>;
  /**
   * Told that the server takes the proof for nobody's: the sign-in may have been ended elsewhere. `first`: true where a new
   * proof was got, with which to ask once more. `again`: that was in vain, too, and nobody is signed in from now on.
   */
  refused(time: 'first' | 'again'): Promise<boolean>;
  /** Lets the user sign in anew, for what a recent sign-in is needed for. False: the user would not. */
  signInAgain(): Promise<boolean>;
}
