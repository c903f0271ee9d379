import { Lexer, type Links, type Token } from 'marked';

/** Longer runs of text are not looked through for marks: that could take more than its length in time. */
const RUN_MAX_CHARACTERS = 6_000;
const DEPTH_MAX = 24;
/** The marks that begin a line of a quotation or a list in another one. */
const MARKS = /^(?:[ \t]*(?:>|[-+*][ \t]|\d{1,9}[.)][ \t]))*/;
const MARK = />|[-+*][ \t]|[.)][ \t]/g;

/** Addresses that a text gives names, and links refer to by these. */
export type LinkNames = Links;

/** The tokens of a text, and with `names` added what it gives names to. It never throws, whatever the text is. */
export function lexMarkdown(text: string, names: LinkNames): Token[] {
  if (isTooDeep(text)) return [asItStands(text)];
  const lexer = new Lexer({ gfm: true });
  lexer.tokens.links = names;
  try {
    const tokens = lexer.blockTokens(text, []);
    for (const { src, tokens: run } of lexer.inlineQueue) {
      if (src.length > RUN_MAX_CHARACTERS) run.push({ type: 'text', raw: src, text: src });
      else lexer.inlineTokens(src, run);
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
    return marks.length > DEPTH_MAX && (marks.match(MARK)?.length ?? 0) > DEPTH_MAX;
  });
}
