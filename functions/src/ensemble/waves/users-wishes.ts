/**
 * The last words of every prompt for a text that the user may read. Models follow what they are told last, so nothing
 * about the procedure comes behind it: language, form and length are the user's.
 */
export const USERS_WISHES = [
  'Now give the answer the user wants, the way the user wants it.',
  'Say nothing about other texts, reviews or how it was made.',
  'Where no form or length is asked for, write no more than the message needs, and never more than the best of the texts above.',
  "Write in the language of the user's message, unless the user or a system message asks for another.",
  'Keep exactly to the form and length asked for: if only a word, a number, code or JSON is wanted, the answer is that and nothing else.',
].join(' ');
