/** The value at the end of an answer. */
export interface AnswerLine {
  readonly value: string;
  /** True if it stands on the last line, after the label that was asked for. */
  readonly hasForm: boolean;
}

/** The label that is asked for in English. */
export const ANSWER_LABEL = 'Answer';

/** The end of a long text is all that is read of it. */
const CHARACTERS_READ = 20_000;
/** A longer value is none that was asked for. */
const VALUE_CHARACTERS_MAX = 300;
/** Marks of emphasis, but not what may be a sign between two numbers. */
const EMPHASIS = /(?<![\p{L}\d])[*_`#$]+|[*_`#$]+(?![\p{L}\d])/gu;
const FULL_WIDTH = /[\uff01-\uff5e]/g;
const FULL_WIDTH_OFFSET = 0xfee0;
/** LaTeX that models put around a value, and what it holds. */
const LATEX_BOX = /\\(?:boxed|text|mathrm|mathbf)\{([^{}]*)\}/g;
const LATEX_BRACKET = /\\[()[\],!]/g;
const SENTENCE = /^(?:(?:so|thus|therefore|hence),? )?(?:the |my )?(?:final |correct )?answer is:? (.+)$/i;

/** The value that an answer ends with; undefined where none can be told apart from the rest. */
export function readAnswerLine(answer: string, labels: readonly string[] = [ANSWER_LABEL]): AnswerLine | undefined {
  const lines = answer.slice(-CHARACTERS_READ).split('\n').map(plain).filter(isTelling);
  for (let at = lines.length - 1; at >= 0; at -= 1) {
    const value = valueAfterLabel(lines[at] ?? '', labels);
    if (value === undefined) continue;
    const isLast = at === lines.length - 1;
    if (value !== '')
      return { value: unwrapped(value), hasForm: isLast && startsWithLabel(lines[at] ?? '', labels[0] ?? '') };
    return isLast ? undefined : { value: lines[at + 1] ?? '', hasForm: false };
  }
  return withoutLabel(lines, answer);
}

/** A line without its marks of emphasis; a very long one is cut. */
function plain(line: string): string {
  return line
    .slice(0, 2 * VALUE_CHARACTERS_MAX)
    .replace(LATEX_BOX, '$1')
    .replace(LATEX_BRACKET, '')
    .replace(EMPHASIS, '')
    .replace(FULL_WIDTH, (sign) => String.fromCharCode(sign.charCodeAt(0) - FULL_WIDTH_OFFSET))
    .replace(/[\u00a0\u202f\u2009\u3000\t]/g, ' ')
    .trim();
}

/** Without the brackets that stood around the description of the value. */
function unwrapped(value: string): string {
  return value.startsWith('<') && value.endsWith('>') ? value.slice(1, -1).trim() : value;
}

function isTelling(line: string): boolean {
  return line !== '' && line !== '~~~' && line !== '---';
}

function valueAfterLabel(line: string, labels: readonly string[]): string | undefined {
  const start = line.replace(/^[->•] */, '').replace(/^(?:the |my )?(?:final|correct) /i, '');
  const label = labels.find((name) => startsWithLabel(start, name));
  return label === undefined ? undefined : start.slice(start.indexOf(':') + 1).trim();
}

function startsWithLabel(line: string, label: string): boolean {
  const colon = line.indexOf(':');
  return colon > 0 && line.slice(0, colon).trim().toLowerCase() === label.toLowerCase();
}

/** An answer that is nothing but a value, or that ends with the sentence for it. */
function withoutLabel(lines: readonly string[], answer: string): AnswerLine | undefined {
  const last = lines.at(-1) ?? '';
  const sentence = SENTENCE.exec(last)?.[1];
  if (sentence !== undefined) return { value: sentence, hasForm: false };
  return lines.length === 1 && answer.length <= VALUE_CHARACTERS_MAX ? { value: last, hasForm: false } : undefined;
}
