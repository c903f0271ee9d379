/** Form that answers share which differ only in case, spaces, markup, a final point or the spelling of a number. */
export function normalisedAnswer(answer: string): string {
  const words = answer
    .normalize('NFKC')
    .toLowerCase()
    .replace(/\\(?:boxed|text|mathrm)\{([^{}]*)\}|\\[()[\]]/g, '$1')
    .replace(/[*_`$"'“”‘’«»「」]/g, '')
    .replace(/(?<=\d),(?=\d{3}\b)/g, '')
    .replace(/−(?=\d)/g, '-')
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/[.!;:。]{1,9}$/, '');
  return /^[+-]?\d{1,15}(?:\.\d{1,9})?$/.test(words) ? String(Number(words)) : words;
}
