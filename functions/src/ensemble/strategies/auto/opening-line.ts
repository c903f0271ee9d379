const LINE_CHARACTERS_MAX = 80;
const LINE = /^[\s*_`>#"'-]{0,8}PANEL[\s*_`"']{0,4}[:：][\s*_`"']{0,4}(no|yes)\b[^\n]{0,40}(?:\n|$)/i;

/** A draft without its first line, and what that says; without such a line the panel answers. */
export function withoutOpening(draft: string): { readonly text: string; readonly opening: 'alone' | 'panel' } {
  const { text, opening } = opened(draft);
  return { text: text.trim(), opening };
}

function opened(draft: string) {
  const [line = '', word] = LINE.exec(draft.slice(0, LINE_CHARACTERS_MAX)) ?? [];
  return { text: draft.slice(line.length), opening: word?.toLowerCase() === 'no' ? 'alone' : 'panel' } as const;
}

/** Reads a draft piece by piece: its first line alone says whether it answers alone, and is never shown. Linear. */
export class OpeningLine {
  #head = '';
  #opening: 'alone' | 'panel' | undefined;
  #begun = false;

  /** Takes the next piece; returns what of it belongs to an answer that stands alone, else nothing. */
  read(piece: string): string {
    let text = piece;
    if (this.#opening === undefined) {
      this.#head += piece;
      if (!isLineWhole(this.#head)) return '';
      ({ text, opening: this.#opening } = opened(this.#head));
    }
    if (this.#opening === 'panel') return '';
    const shown = this.#begun ? text : text.trimStart();
    this.#begun ||= shown !== '';
    return shown;
  }
}

function isLineWhole(head: string): boolean {
  return head.length >= LINE_CHARACTERS_MAX || head.trimStart().includes('\n');
}
