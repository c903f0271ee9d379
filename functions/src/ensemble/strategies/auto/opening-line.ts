/** Statement of a first draft about itself in its first line. */
export type Opening = 'alone' | 'panel';

const LINE_CHARACTERS_MAX = 80;
const LINE = /^[\s*_`>#"'-]{0,8}PANEL[\s*_`"']{0,4}[:：][\s*_`"']{0,4}(no|yes)\b[^\n]{0,40}(?:\n|$)/i;

/** Reads a draft piece by piece: its first line alone says whether it answers alone, and is never shown. Linear. */
export class OpeningLine {
  #head = '';
  #opening: Opening | undefined;
  #begun = false;

  get begun(): boolean {
    return this.#begun;
  }

  /** Takes the next piece; returns what of it belongs to an answer that stands alone, else nothing. */
  read(piece: string): string {
    if (this.#opening === 'panel') return '';
    if (this.#opening === 'alone') return this.#shown(piece);
    this.#head += piece;
    const { text, opening } = withoutOpening(this.#head, { whole: false });
    this.#opening = opening;
    return opening === 'alone' ? this.#shown(text) : '';
  }

  /** The answer begins with its first word. */
  #shown(text: string): string {
    const shown = this.#begun ? text : text.trimStart();
    this.#begun ||= shown !== '';
    return shown;
  }
}

/** A draft without its first line, and what that said; undefined while it may still come. Without it the panel answers. */
export function withoutOpening(
  draft: string,
  { whole = true } = {},
): { readonly text: string; readonly opening: Opening | undefined } {
  const head = draft.slice(0, LINE_CHARACTERS_MAX);
  const match = LINE.exec(head);
  const isEnded = whole || match?.[0].endsWith('\n') || head.trimStart().includes('\n');
  if (!isEnded && draft.length < LINE_CHARACTERS_MAX) return { text: '', opening: undefined };
  if (!match) return { text: whole ? draft.trim() : draft, opening: 'panel' };
  const opening = match[1]?.toLowerCase() === 'no' ? 'alone' : 'panel';
  const text = draft.slice(match[0].length);
  return { text: whole ? text.trim() : text, opening };
}
