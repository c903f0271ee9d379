/** Words that say nothing else of a number. */
const FILLERS = new Set('in total left remaining altogether has have is are it there he she they the a of'.split(' '));
const NUMBER = /\d[\d.,'\u2019 ]*/g;
const GROUPED = /^\d{1,3}(?:([,'\u2019 ])\d{3})(?:\1\d{3})*$/;
const CHARACTERS_MAX = 120;

/** A whole number as a model wrote it, in plain digits; beside it may stand only `words`, and no other number. */
export function readNumber(value: string, words: readonly string[] = []): string | undefined {
  if (value.length > CHARACTERS_MAX) return undefined;
  const result = value.slice(value.lastIndexOf('=') + 1).trim();
  const numbers = result.match(NUMBER) ?? [];
  const digits = numbers.length === 1 ? plainDigits(numbers[0] ?? '') : undefined;
  if (digits === undefined) return undefined;
  const rest = result.replace(NUMBER, ' ');
  const allowed = new Set(words.map((word) => word.toLowerCase()));
  const isPlain = rest
    .toLowerCase()
    .replace(/[€£¥"().!]/g, ' ')
    .split(/\s+/)
    .every((word) => word === '' || FILLERS.has(word) || allowed.has(word));
  return isPlain ? digits : undefined;
}

/** `1,234.00` as `1234`; undefined where it is no whole number. */
function plainDigits(number: string): string | undefined {
  const [whole = '', fraction = '', ...more] = number.replace(/[.,' \u2019]+$/, '').split('.');
  if (more.length > 0 || !/^0*$/.test(fraction)) return undefined;
  const digits = GROUPED.test(whole) ? whole.replace(/\D/g, '') : whole;
  return /^\d+$/.test(digits) ? String(BigInt(digits)) : undefined;
}
