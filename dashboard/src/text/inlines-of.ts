import type { Token, Tokens } from 'marked';
import type { Inline } from './blocks';
import { decodeEntities } from './decode-entities';
import { linkTarget } from './link-target';

type Of<Type extends string> = (token: Extract<Tokens.Generic | Token, { type: Type }> & Tokens.Generic) => Inline[];

const UNSAFE_SHOWN_CHARACTERS = 80;

const KINDS: Readonly<Record<string, Of<string>>> = {
  text: ({ text, tokens }) => (tokens ? inlinesOf(tokens) : [textOf(text)]),
  escape: ({ text }) => [{ is: 'text', text }],
  codespan: ({ text }) => [{ is: 'code', text }],
  strong: ({ tokens }) => [{ is: 'strong', inlines: inlinesOf(tokens) }],
  em: ({ tokens }) => [{ is: 'emphasis', inlines: inlinesOf(tokens) }],
  del: ({ tokens }) => [{ is: 'deleted', inlines: inlinesOf(tokens) }],
  br: () => [{ is: 'break' }],
  formula: ({ text, raw, isDisplay }) => [{ is: 'formula', text, raw, isDisplay }],
  noteReference: ({ label }) => [{ is: 'note', label }],
  // The box of a task is a field of its item.
  checkbox: () => [],
  link: ({ href, tokens }) => linkOf(String(href), inlinesOf(tokens)),
  image: ({ href, text }) => [{ is: 'text', text: imageWords(String(href), decodeEntities(String(text))) }],
};

/** The inlines that were made of tokens: those of a text that grows are read once. */
const MADE = new WeakMap<Token, readonly Inline[]>();

/** The inlines of these tokens of marked; of a kind that is not known, markup above all, the text as it stands. */
export function inlinesOf(tokens: readonly Token[] = []): Inline[] {
  return tokens.flatMap((token) => {
    const made = MADE.get(token) ?? KINDS[token.type]?.(token) ?? [{ is: 'text', text: token.raw }];
    MADE.set(token, made);
    return made;
  });
}

function textOf(text: string): Inline {
  return { is: 'text', text: decodeEntities(text) };
}

function linkOf(address: string, inlines: readonly Inline[]): Inline[] {
  const href = decodeEntities(address);
  if (linkTarget(href)) return [{ is: 'link', href, inlines }];
  return [...inlines, { is: 'text', text: ` (no link: ${href.slice(0, UNSAFE_SHOWN_CHARACTERS)})` }];
}

/** Images are not fetched: who serves one would learn that, and what the address says. */
function imageWords(address: string, alt: string): string {
  const host = linkTarget(address)?.host ?? 'no address';
  return `image: ${alt || 'without a description'} (${host})`;
}
