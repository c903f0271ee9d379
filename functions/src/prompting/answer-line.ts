import { withoutEnd } from './normalised-answer';

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

/**
 * The answer that a text ends with, without markup around it: behind the keyword or, where nothing stands there, on the
 * next line that is not blank. Undefined when there is none.
 */
export function statedAnswer(lines: readonly string[]): string | undefined {
  const tail = lines.slice(tailOf(lines));
  const behind = (line: string): string => withoutMarkup(line.replace(ANSWER_LINE, ''));
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

function withoutMarkup(text: string): string {
  return withoutEnd(text.replace(/^[\s*_`]+/, ''), MARKUP);
}
