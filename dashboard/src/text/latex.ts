import { Hooks, type TokenizerExtensionFunction, type TokenizerStartFunction, type Tokens } from 'marked';

/** Longer ones are read as text. */
const FORMULA_MAX_CHARACTERS = 4_000;
const CLOSING: Readonly<Record<string, string>> = { $$: '$$', '\\[': '\\]', '\\(': '\\)' };
const ENVIRONMENT = /^\\begin\{([a-z]{1,20}\*?)\}/;
/** Between single dollar signs: in one line, no space inside of them, and no letter or digit beside them. */
const SINGLE = /^\$(?![\s$])(?:\\.|[^\\$\n`])+(?<!\s)\$(?![\p{L}\p{N}$])/u;
const SINGLE_START = /(?<![\p{L}\p{N}$\\])\$/u;
const BLOCK_START = /(?<=^|\n) {0,3}(?=\$\$|\\\[|\\begin\{)/g;
const MASKED = /\\\([^\n]{1,200}?\\\)|\$\$[^\n]{1,200}?\$\$|\$[^\n$`]{1,200}\$/g;

/** A formula that has lines of its own. One with an empty line is none, so that what comes later ends none. */
export const formulaBlock: TokenizerExtensionFunction = (source) => {
  const indent = /^ {0,3}(?=\$\$|\\\[|\\begin\{)/.exec(source)?.[0];
  const formula = indent === undefined ? undefined : markedFormula(source.slice(indent.length));
  const raw = `${indent}${formula?.raw}`;
  const end = formula && /^[ \t]*(?:\n|$)/.exec(source.slice(raw.length));
  return end ? { ...formula, raw: raw + end[0] } : undefined;
};

/** The place in a paragraph at which such a formula begins. */
export const formulaBlockStart: TokenizerStartFunction = (source) => {
  const [paragraph = ''] = source.split('\n\n', 1);
  if (!/\$\$|\\\]|\\end\{/.test(paragraph)) return undefined;
  const starts = [...paragraph.matchAll(BLOCK_START)].map(({ index }) => index);
  return starts.find((at) => at > 0 && formulaBlock.call({} as never, source.slice(at), []));
};

/** The place at which a formula begins that what comes next may end; that behind the text where there is none. */
export function openFormulaAt(text: string): number {
  const from = Math.max(text.lastIndexOf('\n\n') + 1, text.length - FORMULA_MAX_CHARACTERS);
  const starts = [...text.slice(from).matchAll(BLOCK_START)];
  const open = starts.find(({ 0: indent, index }) => !markedFormula(text.slice(from + index + indent.length)));
  return open ? from + open.index : text.length;
}

/** A formula in running text. */
export const formulaInline: TokenizerExtensionFunction = (source, before) => {
  const single = source.startsWith('$') ? SINGLE.exec(source)?.[0] : undefined;
  if (single === undefined || single.length > FORMULA_MAX_CHARACTERS) return markedFormula(source);
  const isFormula = !/[\p{L}\p{N}$]$/u.test(before.at(-1)?.raw ?? '') && isLikeFormula(single.slice(1, -1));
  return isFormula ? tokenOf(single, single.slice(1, -1)) : undefined;
};

/** The place in a running text at which the next one may begin. */
export const formulaInlineStart: TokenizerStartFunction = (source) => SINGLE_START.exec(source)?.index;

/** Stars and underlines in formulas emphasize nothing. */
export const maskFormulas = Object.assign(new Hooks(), {
  emStrongMask: (source: string): string => source.replace(MASKED, ({ length }) => 'a'.repeat(length)),
});

function markedFormula(source: string): Tokens.Generic | undefined {
  const [opening = source.slice(0, 2), environment] = ENVIRONMENT.exec(source) ?? [];
  const closing = environment === undefined ? CLOSING[opening] : `\\end{${environment}}`;
  if (closing === undefined) return undefined;
  const text = source.slice(opening.length, FORMULA_MAX_CHARACTERS).split(closing, 1)[0] ?? '';
  const raw = opening + text + closing;
  const isFormula = text.trim() !== '' && !/\n[ \t]*\n/.test(text) && source.startsWith(raw);
  return isFormula ? tokenOf(raw, environment === undefined ? text : raw, opening !== '\\(') : undefined;
}

function tokenOf(raw: string, text: string, isDisplay = false): Tokens.Generic {
  return { type: 'formula', raw, text: text.trim(), isDisplay };
}

/** Prices and variables of a shell stand between dollar signs too: what reads like words is no formula. */
function isLikeFormula(text: string): boolean {
  if (/(?<![\\\p{L}])\p{L}{3,}[ ,]+\p{L}{3,}/u.test(text.replace(/\\[a-z]+\{[^{}]*\}/gi, '\\'))) return false;
  return /[\\^_{}=<>]/.test(text) || !/\s/.test(text) || !/^\d|\p{L}{2,}/u.test(text);
}
