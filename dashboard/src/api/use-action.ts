import { useState } from 'react';

/** Something a user does that changes data on the server. */
export interface Action<Input, Result> {
  readonly isPending: boolean;
  /** Why it was not done the last time. */
  readonly error: unknown;
  /** The reply; undefined: it was not done, and `error` says why. */
  run(input: Input): Promise<Result | undefined>;
  forgetError(): void;
}

/** Unlike a mutation of the query client it keeps no result, so that one which holds a secret is in no cache. */
export function useAction<Input, Result>(act: (input: Input) => Promise<Result>): Action<Input, Result> {
  const [isPending, setPending] = useState(false);
  const [error, setError] = useState<unknown>();
  const run = async (input: Input): Promise<Result | undefined> => {
    setPending(true);
    setError(undefined);
    try {
      return await act(input);
    } catch (cause) {
      setError(cause);
      return undefined;
    } finally {
      setPending(false);
    }
  };
  return { isPending, error, run, forgetError: () => setError(undefined) };
}
