import { compatibilityForm } from './compatibility-form';

const CLOSING = /[\s.!;:。]/;
/** A number as a whole answer, its thousands already joined. */
const NUMBER = /^([+-]?)(\d+)(?:\.(\d*))? ?(%?)$/;

/**
 * Form shared by answers that differ only in case, spaces, markup or a final point; of a number also without
 * its thousands separators and the zeros that add nothing.
 */
export function normalisedAnswer(answer: string): string {
  const words = compatibilityForm(answer)
    .toLowerCase()
    .replace(/\\(?:boxed|text|mathrm)\{([^{}]*)\}|\\[()[\]]/g, '$1')
    .replace(/[*_`$"'“”‘’«»「」]/g, '')
    .replace(/(?<=\d),(?=\d{3}\b)/g, '')
    .replace(/−(?=\d)/g, '-')
    .replace(/\s+/g, ' ');
  return plainNumber(withoutEnd(words, CLOSING).trim());
}

/** Cuts by character: as a pattern, `[…]+$` takes quadratic time for a long run in the middle of a line. */
export function withoutEnd(text: string, unwanted: RegExp): string {
  let end = text.length;
  while (end > 0 && unwanted.test(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}

/** A number as it is written shortest; any other text as it is. Digits are kept: no number is too long for it. */
function plainNumber(text: string): string {
  const match = NUMBER.exec(text);
  if (!match) return text;
  const [, sign, whole = '', fraction = '', percent = ''] = match;
  const decimals = withoutEnd(fraction, /0/);
  const digits = decimals === '' ? whole : `${whole}.${decimals}`;
  return `${sign === '-' && /[1-9]/.test(digits) ? '-' : ''}${digits}${percent}`;
}
