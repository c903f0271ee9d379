import { compatibilityForm } from '../../../prompting/compatibility-form';
import { type Contributor, replaceText } from '../../panel/contributors';
import type { Run } from '../../run';

/** A worked solution as its author ends it. */
export interface Chain {
  /** The steps and the line with the answer; without the lines about the check and about what changed. */
  readonly text: string;
  /** The final line, in the author's words; undefined when there is none. */
  readonly answer: string | undefined;
  /** What the author found in the chain it checked; undefined when it did not say. */
  readonly check: Check | undefined;
}

/** One reader's finding about another's chain. */
export interface Check {
  readonly verified: boolean;
  /** E.g. `step 3: divides by zero`. */
  readonly finding: string;
}

/** A contributor with what its chain amounts to, and what its last checker found. */
export interface Solver extends Contributor {
  answer: string | undefined;
  check: (Check & { readonly by: string }) | undefined;
}

/** A solver from its first reply. */
export function solverOf(contributor: Contributor): Solver {
  const { text, answer } = parseChain(contributor.text);
  return { ...contributor, text: text || contributor.text, answer, check: undefined };
}

/**
 * Takes over what a solver now says. Last lines alone leave its steps as they were, under the answer that is now given.
 * A chain that comes back different is no longer the one that was checked.
 */
export function restate(run: Run, solver: Solver, { text, answer = solver.answer }: Chain): void {
  const isSame = sameAnswer(answer, solver.answer);
  if (solver.answer !== undefined && !isSame) solver.check = undefined;
  if (beforeAnswer(text) !== '') replaceText(run, solver, text);
  else replaceText(run, solver, text === '' || isSame ? '' : `${stepsOf(solver)}\n${text}`.trim());
  solver.answer = answer;
}

/** What a solver's answer rests on; nothing where that only says the answer once more. */
function stepsOf({ text, answer }: Solver): string {
  const steps = beforeAnswer(text);
  return sameAnswer(steps, answer) ? '' : steps;
}

/** Whether several solvers have come to one answer; a single one has none to agree with. */
export function unanimous([first, ...others]: readonly Solver[]): boolean {
  if (first?.answer === undefined || others.length === 0) return false;
  return others.every(({ answer }) => sameAnswer(answer, first.answer));
}

function sameAnswer(one: string | undefined, other: string | undefined): boolean {
  return one !== undefined && other !== undefined && normalisedAnswer(one) === normalisedAnswer(other);
}

const CHECK = /^[\s*_`>#•-]*CHECK[\s*_`]*[:：]/i;
const REVISION = /^[\s*_`>#•-]*REVISION[\s*_`]*[:：]/i;
/** In English as asked for, or in the language of the message. */
const ANSWER =
  /^[\s*_`>#•-]*(?:(?:the )?(?:final |correct )?answer(?: is)?|(?:endgültige )?antwort|réponse(?: finale)?|respuesta(?: final)?|resposta(?: final)?|risposta(?: finale)?|(?:окончательный )?ответ|(?:最终|最終)?(?:答案|回答)|答え|정답|답)[\s*_`]*[:：]/iu;
const LAST_LINES = [CHECK, REVISION, ANSWER];
const MARKUP = /[\s*_`]/;
const CLOSING = /[\s.!;:。]/;
const VERIFIED = /^\W*(?:(?:all|every|each) steps? (?:is |are )?)?verified\b/i;
/** The lines are asked for at the very end; a remark after them is forgiven. */
const TAIL_LINES = 4;

/** Reads a chain from a reply; lines that are missing are undefined, never guessed. */
export function parseChain(reply: string): Chain {
  const lines = reply.trimEnd().split('\n');
  const from = tailOf(lines);
  const tail = lines.slice(from);
  const answer = lastAfter(tail, ANSWER);
  const finding = lastAfter(tail, CHECK);
  const text = lines
    .filter((line, index) => index < from || (after(line, CHECK) ?? after(line, REVISION)) === undefined)
    .join('\n')
    .trim();
  const check = finding === undefined ? undefined : { verified: VERIFIED.test(finding), finding };
  return { text, answer, check };
}

/** Where the last lines may begin: as many that are not blank. */
function tailOf(lines: readonly string[]): number {
  let at = lines.length;
  for (let count = 0; at > 0 && count < TAIL_LINES; at -= 1) if (lines[at - 1]?.trim() !== '') count += 1;
  return at;
}

/** What stands above the line with the answer; all of a text without one. */
function beforeAnswer(text: string): string {
  const lines = text.trimEnd().split('\n');
  const from = tailOf(lines);
  const at = lines.findLastIndex((line, index) => index >= from && ANSWER.test(line));
  return at < 0 ? text : lines.slice(0, at).join('\n').trim();
}

/** What two answers have in common when only their wording differs: case, spaces, markup, a final point. */
export function normalisedAnswer(answer: string): string {
  const words = compatibilityForm(answer)
    .toLowerCase()
    .replace(/\\(?:boxed|text|mathrm)\{([^{}]*)\}|\\[()[\]]/g, '$1')
    .replace(/[*_`$"'“”‘’«»「」]/g, '')
    .replace(/(?<=\d),(?=\d{3}\b)/g, '')
    .replace(/\s+/g, ' ');
  return withoutEnd(words, CLOSING).trim();
}

/** What the last such line says, or, where there is nothing behind the keyword, the next line that is not blank. */
function lastAfter(lines: readonly string[], keyword: RegExp): string | undefined {
  return lines
    .map((line, index) => after(line, keyword) ?? (keyword.test(line) ? said(lines.slice(index + 1)) : undefined))
    .findLast((words) => words !== undefined);
}

function said(lines: readonly string[]): string | undefined {
  const next = lines.find((line) => withoutMarkup(line) !== '' && !LAST_LINES.some((keyword) => keyword.test(line)));
  return next === undefined ? undefined : withoutMarkup(next);
}

/** What a line says after its keyword, without markup around it; undefined when it says nothing. */
function after(line: string, keyword: RegExp): string | undefined {
  const match = keyword.exec(line);
  if (!match) return undefined;
  return withoutMarkup(line.slice(match[0].length)) || undefined;
}

function withoutMarkup(text: string): string {
  return withoutEnd(text.replace(/^[\s*_`]+/, ''), MARKUP);
}

/** Cuts by character: as a pattern, `[…]+$` takes quadratic time for a long run in the middle of a line. */
function withoutEnd(text: string, unwanted: RegExp): string {
  let end = text.length;
  while (end > 0 && unwanted.test(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}
