import { compatibilityForm } from './compatibility-form';

/** The line that ends a worked solution: its keyword, in English as asked for or in the language of the message. */
export const ANSWER_LINE =
  /^[\s*_`>#•-]*(?:(?:the )?(?:final |correct )?answer(?: is)?|(?:endgültige )?antwort|réponse(?: finale)?|respuesta(?: final)?|resposta(?: final)?|risposta(?: finale)?|(?:окончательный )?ответ|(?:最终|最終)?(?:答案|回答)|答え|정답|답)[\s*_`]*[:：]/iu;

/** The line is asked for at the very end; a remark after it is forgiven. */
const TAIL_LINES = 4;
const MARKUP = /[\s*_`]/;

/** The index of the last line for an answer, among the last lines that are not blank; −1 without one. */
export function answerLineOf(lines: readonly string[]): number {
  const from = tailOf(lines);
  return lines.findLastIndex((line, index) => index >= from && ANSWER_LINE.test(line));
}

/** The answer that a text ends with, without markup: behind the keyword or on the next line that is not blank. */
export function statedAnswer(lines: readonly string[]): string | undefined {
  const tail = lines.slice(tailOf(lines));
  const behind = (line: string): string => withoutEnd(line.replace(ANSWER_LINE, '').replace(/^[\s*_`]+/, ''), MARKUP);
  return tail
    .flatMap((line, index) =>
      ANSWER_LINE.test(line)
        ? [behind(line) || behind(tail.slice(index + 1).find((next) => behind(next) !== '') ?? '')]
        : [],
    )
    .findLast((words) => words !== '');
}

function tailOf(lines: readonly string[]): number {
  let at = lines.length;
  for (let count = 0; at > 0 && count < TAIL_LINES; at -= 1) if (lines[at - 1]?.trim() !== '') count += 1;
  return at;
}

const CLOSING = /[\s.!;:。]/;
const NUMBER = /^([+-]?)(\d+)(?:\.(\d*))? ?(%?)$/;

/** Form shared by answers that differ only in case, spaces, markup, a final point, or how a number is written. */
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
function withoutEnd(text: string, unwanted: RegExp): string {
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
