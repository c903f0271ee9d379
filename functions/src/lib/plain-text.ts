/**
 * Text as ids and names may have it, where anybody may choose them: no control characters, and no half of a surrogate
 * pair, which databases replace, so that two ids would become one.
 */
export const PLAIN_TEXT = /^[^\p{Cc}\p{Cs}]*$/u;

/** The rule in words. */
export const PLAIN_TEXT_RULE = 'must be well-formed text without control characters';
