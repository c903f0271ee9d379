/** A worked solution as its author ends it. */
export interface Chain {
  /** The steps and the line with the answer; without the line about the check. */
  readonly text: string;
  /** The final line, in the author's words; undefined when there is none. */
  readonly answer: string | undefined;
  /** What the author found in the chain it checked; undefined when it did not say. */
  readonly check: Check | undefined;
}

/** One reader's finding about somebody's chain. */
export interface Check {
  readonly verified: boolean;
  /** E.g. `step 3: divides by zero`. */
  readonly finding: string;
}

const CHECK = /^[\s*_`>-]*CHECK:[\s*_`]*(.+?)[\s*_`]*$/i;
const ANSWER = /^[\s*_`>#-]*(?:FINAL )?ANSWER:[\s*_`]*(.+?)[\s*_`]*$/i;
/** The two lines are asked for at the very end; a remark after them is forgiven. */
const TAIL_LINES = 4;

/** Reads a chain from a reply; lines that are missing are undefined, never guessed. */
export function parseChain(reply: string): Chain {
  const lines = reply.trimEnd().split('\n');
  const from = Math.max(0, lines.length - TAIL_LINES);
  const tail = lines.slice(from);
  const answer = lastMatch(tail, ANSWER);
  const finding = lastMatch(tail, CHECK);
  const text = lines
    .filter((line, index) => index < from || !CHECK.test(line))
    .join('\n')
    .trim();
  const check = finding === undefined ? undefined : { verified: /^verified\b/i.test(finding), finding };
  return { text, answer, check };
}

/** What two answers have in common when only their wording differs: case, spaces, markup, a final point. */
export function normalisedAnswer(answer: string): string {
  return answer
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[*_`$"'“”‘’]/g, '')
    .replace(/(?<=\d),(?=\d{3}\b)/g, '')
    .replace(/\s+/g, ' ')
    .replace(/[\s.!;:]+$/, '')
    .trim();
}

function lastMatch(lines: readonly string[], pattern: RegExp): string | undefined {
  const line = lines.findLast((candidate) => pattern.test(candidate));
  return line === undefined ? undefined : pattern.exec(line)?.[1];
}
