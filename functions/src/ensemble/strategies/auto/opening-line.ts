const LINE_CHARACTERS_MAX = 80;
const LINE = /^[\s*_`>#"'-]{0,8}PANEL[\s*_`"']{0,4}[:：][\s*_`"']{0,4}(no|yes)\b[^\n]{0,40}(?:\n|$)/i;

/** A draft without its first line, and what that says; without such a line the panel answers. */
export function withoutOpening(draft: string): { readonly text: string; readonly opening: 'alone' | 'panel' } {
  const [line = '', word] = LINE.exec(draft.slice(0, LINE_CHARACTERS_MAX)) ?? [];
  return { text: draft.slice(line.length).trimStart(), opening: word?.toLowerCase() === 'no' ? 'alone' : 'panel' };
}

/** True where the first line of a draft is there, of which this is the beginning. */
export function hasOpening(beginning: string): boolean {
  return beginning.length >= LINE_CHARACTERS_MAX || beginning.trimStart().includes('\n');
}
