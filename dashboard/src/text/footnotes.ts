import type { TokenizerExtensionFunction, TokenizerStartFunction } from 'marked';

const NOTE =
  /^ {0,3}\[\^([^\]\s^]{1,40})\]:[ \t]*([^\n]*(?:\n(?! {0,3}\[\^)[ \t]*[^\s][^\n]*|(?:\n[ \t]*)+\n(?: {4}|\t)[^\n]*)*)(?:\n+|$)/;
const NOTE_START = /(?<=\n) {0,3}\[\^[^\]\s^]{1,40}\]:/;
const REFERENCE = /^\[\^([^\]\s^]{1,40})\](?!:)/;

/** The name of a note among those of links: no link can have it, for it holds a bracket. */
const nameOf = (label: string): string => `]${label.toLowerCase()}`;

/** A note below a text, with the lines that go on with it. */
export const noteBlock: TokenizerExtensionFunction = function (source) {
  const [raw = '', label, text = ''] = NOTE.exec(source) ?? [];
  if (label === undefined) return undefined;
  this.lexer.tokens.links[nameOf(label)] = { href: '', title: null };
  return { type: 'note', raw, label, tokens: this.lexer.inline(text.replace(/\n[ \t]+/g, '\n')) };
};

/** The place in a paragraph at which such a note begins. */
export const noteBlockStart: TokenizerStartFunction = (source) =>
  NOTE_START.exec(source.split('\n\n', 1)[0] ?? '')?.index;

/** A mark that refers to a note. Where the text has none of this name it is text, such as a class of characters. */
export const noteReference: TokenizerExtensionFunction = function (source) {
  const [raw = '', label = ''] = REFERENCE.exec(source) ?? [];
  const isNote = Object.hasOwn(this.lexer.tokens.links, nameOf(label));
  return isNote ? { type: 'noteReference', raw, label } : undefined;
};
