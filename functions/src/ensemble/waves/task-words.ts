/** Said to whoever checks its own text: models that give in to a majority give up right answers (arXiv 2509.05396). */
export const CHANGE_RULE =
  'Leave it as it is unless you can name an error or a gap in it; that others disagree is not one.';

const ONE_LINE = 'Begin with one line for the service, in these English words: ';

/** Asks a reader of its own text for the status first, and for `text` only where it is another; `more` stands on the line. */
export function statusWords(text: string, more = '', lead = ONE_LINE): string {
  return `${lead}"REVISION: kept", or "REVISION: changed (the error or gap you found)". ${more}After "kept", stop. After "changed", write ${text} below that line.`;
}

const LANGUAGE = "the language of the user's message unless another is asked for";

/** Closing words for the author of the final answer, the last it is told; `hasSystem`: it follows a system message. */
export function finalWords(hasSystem: boolean): string {
  return [
    `Write the reply the user will read, in ${LANGUAGE}, and nothing about how it was made.`,
    `Follow the format and length the user asked for${hasSystem ? ' or the system message sets' : ''}; if that is one word, a number, code or JSON, output only that.`,
    'If no length is set, cover what the question needs and stop.',
  ].join(' ');
}

/** Closing words for a participant, whose task may ask for more than the answer. It may have no system message. */
export const WORKING_WORDS = `Write the answer part as the user should receive it, with nothing about how it was made: in ${LANGUAGE}, in the format and length asked for, and otherwise no longer than the question needs. Anything else this task asks for stands apart and is not bound by that format.`;

/** Closing words for the author of one part of the answer. */
export const PART_WORDS = `Write only your part, as it will stand in the answer, with nothing about how it was made: in ${LANGUAGE}, in the format and style asked for, within your share of any length asked for, and otherwise no longer than the part needs.`;
