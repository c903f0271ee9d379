import { withoutEnd } from './normalised-answer';

/** The lines that end a worked solution: their keywords, in English as asked for or in the language of the message. */
export const LAST_LINES = {
  check: /^[\s*_`>#•-]*CHECK[\s*_`]*[:：]/i,
  revision: /^[\s*_`>#•-]*REVISION[\s*_`]*[:：]/i,
  answer:
    /^[\s*_`>#•-]*(?:(?:the )?(?:final |correct )?answer(?: is)?|(?:endgültige )?antwort|réponse(?: finale)?|respuesta(?: final)?|resposta(?: final)?|risposta(?: finale)?|(?:окончательный )?ответ|(?:最终|最終)?(?:答案|回答)|答え|정답|답)[\s*_`]*[:：]/iu,
} as const;

/** The lines are asked for at the very end; a remark after them is forgiven. */
const TAIL_LINES = 4;
const MARKUP = /[\s*_`]/;

/** Where the last lines of a text may begin: as many that are not blank. */
export function tailOf(lines: readonly string[]): number {
  let at = lines.length;
  for (let count = 0; at > 0 && count < TAIL_LINES; at -= 1) if (lines[at - 1]?.trim() !== '') count += 1;
  return at;
}

/** What the last such line says, or, where there is nothing behind the keyword, the next line that is not blank. */
export function saidAfter(lines: readonly string[], keyword: RegExp): string | undefined {
  return lines
    .map(
      (line, index) => afterKeyword(line, keyword) ?? (keyword.test(line) ? said(lines.slice(index + 1)) : undefined),
    )
    .findLast((words) => words !== undefined);
}

/** What a line says after its keyword, without markup around it; undefined when it says nothing. */
export function afterKeyword(line: string, keyword: RegExp): string | undefined {
  const match = keyword.exec(line);
  if (!match) return undefined;
  return withoutMarkup(line.slice(match[0].length)) || undefined;
}

function said(lines: readonly string[]): string | undefined {
  const isKeyed = (line: string): boolean => Object.values(LAST_LINES).some((keyword) => keyword.test(line));
  const next = lines.find((line) => withoutMarkup(line) !== '' && !isKeyed(line));
  return next === undefined ? undefined : withoutMarkup(next);
}

function withoutMarkup(text: string): string {
  return withoutEnd(text.replace(/^[\s*_`]+/, ''), MARKUP);
}
