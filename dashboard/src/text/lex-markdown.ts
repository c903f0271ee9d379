import { Lexer, type Links, type Token } from 'marked';
import { noteBlock, noteBlockStart, noteReference } from './footnotes';
import { formulaBlock, formulaBlockStart, formulaInline, formulaInlineStart, maskFormulas } from './latex';

/** Longer runs of text are not looked through for marks: that could take more than its length in time. */
const RUN_MAX_CHARACTERS = 6_000;
const DEPTH_MAX = 24;
/** The marks that begin a line of a quotation or a list in another one. */
const MARKS = /^(?:[ \t]*(?:>|[-+*][ \t]|\d{1,9}[.)][ \t]))*/;
const MARK = />|[-+*][ \t]|[.)][ \t]/g;
/** A line across the page. */
const RULE = /^[ \t]*(?:(?:-[ \t]*)+|(?:\*[ \t]*)+)$/;

/** GitHub's Markdown with formulas and footnotes. */
const OPTIONS = {
  gfm: true,
  hooks: maskFormulas,
  extensions: {
    renderers: {},
    childTokens: {},
    block: [formulaBlock, noteBlock],
    startBlock: [formulaBlockStart, noteBlockStart],
    inline: [formulaInline, noteReference],
    startInline: [formulaInlineStart],
  },
};

/** The parts of a text that have been read before: what it gives names to, and the tokens of its paragraphs. */
export interface LexMemory {
  readonly names: Links;
  readonly runs: Map<string, readonly Token[]>;
}

/** The tokens of a text, which are added to what has been read before. It never throws, whatever the text is. */
export function lexMarkdown(text: string, { names, runs }: LexMemory): Token[] {
  if (isTooDeep(text)) return [asItStands(text)];
  const lexer = new Lexer(OPTIONS);
  lexer.tokens.links = names;
  try {
    const tokens = lexer.blockTokens(text, []);
    for (const { src, tokens: run } of lexer.inlineQueue) {
      const isLong = src.length > RUN_MAX_CHARACTERS;
      const read = runs.get(src) ?? (isLong ? [{ type: 'text', raw: src, text: src }] : lexer.inlineTokens(src, []));
      runs.set(src, read);
      run.push(...read);
    }
    return tokens;
  } catch {
    return [asItStands(text)];
  }
}

function asItStands(text: string): Token {
  return { type: 'html', raw: text, text, pre: false, block: true };
}

function isTooDeep(text: string): boolean {
  return text.split('\n').some((line) => {
    const marks = MARKS.exec(line)?.[0] ?? '';
    return marks.length > DEPTH_MAX && (marks.match(MARK)?.length ?? 0) > DEPTH_MAX && !RULE.test(line);
  });
}
