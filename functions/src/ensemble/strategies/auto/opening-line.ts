const LINE_CHARACTERS_MAX = 80;
/** The line, with its marks and a remark; some models put it between fences of its own, or go on behind it. */
const LINE =
  /^\s{0,8}(?:(```)\w{0,10}\s)?[\s*_`>#"'-]{0,8}PANEL[\s*_`"']{0,4}[:：][\s*_`"']{0,4}(no|yes)\b[*_`"'.!]{0,4}(?:[^\S\n]{0,2}[,;(–—-][^\n]{0,40}(?=\n|$))?(?:\n\1[^\S\n]{0,4}(?=\n|$))?(?:\s|$)/i;

/** A draft without its first line, and what that says; without such a line the panel answers. */
export function withoutOpening(draft: string): { readonly text: string; readonly opening: 'alone' | 'panel' } {
  const [line = '', , word] = LINE.exec(draft.slice(0, LINE_CHARACTERS_MAX)) ?? [];
  return { text: draft.slice(line.length).trimStart(), opening: word?.toLowerCase() === 'no' ? 'alone' : 'panel' };
}

/** True where the first line of a draft is there, of which this is the beginning. */
export function hasOpening(beginning: string): boolean {
  const [first = '', ...rest] = beginning.trimStart().split('\n', 2);
  return beginning.length >= LINE_CHARACTERS_MAX || (rest.length > 0 && !first.startsWith('```'));
}
