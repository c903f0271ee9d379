/** Who is signed in, as pages show it. */
export interface Account {
  /** A name or an e-mail address. */
  readonly name: string;
}

/** What is known of the sign-in: not yet, nobody, or who. */
export type SignInState =
  | { readonly is: 'unknown' }
  | { readonly is: 'nobody' }
  | { readonly is: 'somebody'; readonly account: Account };

/** How the dashboard's requests prove whose they are: by nothing on a machine of one's own, else with Firebase. */
export interface Session {
  /** `embedded`: the server is of this machine alone, and signs nobody in or out. */
  readonly mode: 'embedded' | 'firebase';
  /** The base URL of the API for programs, ending in `/v1`. */
  readonly baseUrl: string;
  state(): SignInState;
  /** Calls back after each change of `state`; returns what ends that. */
  onChange(callback: () => void): () => void;
  /** The headers that prove who asks. */
  proof(): Promise<Readonly<Record<string, string>>>;
  /** Lets the user sign in anew, for what a recent sign-in is needed for. False: the user would not. */
  signInAgain(): Promise<boolean>;
}
