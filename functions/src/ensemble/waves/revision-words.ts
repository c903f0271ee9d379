/** Said to whoever checks its own text: models that give in to a majority give up right answers (arXiv 2509.05396). */
export const CHANGE_RULE =
  'Leave it as it is unless you can name an error or a gap in it; that others disagree is not one.';

/** Contents of a revision beside its status. */
interface StatusWords {
  /** The line above the status, where there is another. */
  readonly above?: string;
  /** Further fields of the status line, as a sentence. */
  readonly more?: string;
  /** The text to be written where something is changed. */
  readonly text?: string;
}

const STATUS = '"REVISION: kept", or "REVISION: changed (the error or gap you found)"';

/** Asks a reader of its own text for the status line first, and for the text only where it is another. */
export function statusWords({ above, more, text = 'the whole corrected answer' }: StatusWords = {}): string {
  return [
    above === undefined
      ? `Begin with one line for the service, in these English words: ${STATUS}.`
      : `Begin with two lines for the service, in these English words. The first: ${above}. The second: ${STATUS}.`,
    ...(more === undefined ? [] : [more]),
    `After "kept", stop. After "changed", write ${text} below that line.`,
  ].join(' ');
}
