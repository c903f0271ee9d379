/*
 * The last words of every prompt for a text that the user may read. Models follow best what they are told last, so
 * nothing about the procedure stands behind them: language, format and length are the user's.
 */

const LANGUAGE = "the language of the user's message unless another is asked for";

/** Closing words for the author of the final answer; `hasSystem`: it follows a system message. */
export function finalWords(hasSystem: boolean): string {
  return [
    `Write the reply the user will read, in ${LANGUAGE}, and nothing about how it was made.`,
    `Follow the format and length the user asked for${hasSystem ? ' or the system message sets' : ''}; if that is one word, a number, code or JSON, output only that.`,
    'If no length is set, cover what the question needs and stop.',
  ].join(' ');
}

/** Closing words for a participant, whose task may ask for more than the answer. It may have no system message. */
export const WORKING_WORDS = `Write the answer part as the user should receive it, with nothing about how it was made: in ${LANGUAGE}, in the format and length asked for, and otherwise no longer than the question needs. What else this task asks for stands apart, unbound by that format.`;

/** Closing words for the author of one part of the answer. */
export const PART_WORDS = `Write only your part, as it will stand in the answer, with nothing about how it was made: in ${LANGUAGE}, in the format and style asked for, within your share of any length asked for, and otherwise no longer than the part needs.`;
