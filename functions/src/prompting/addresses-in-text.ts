const CHARACTERS_MAX = 2_000;
const ADDRESS = new RegExp(String.raw`https?://[^\s<>"\u0060{}|\\^\[\]\p{C}]{1,${CHARACTERS_MAX}}`, 'giu');
/** Punctuation behind an address in a sentence, which is not part of it. */
const BEHIND = new Set([...".,;:!?'*_~’”»…)"]);

/** The web addresses in a text, as they stand in it; what a sentence or a link in Markdown has around them is left out. */
export function addressesIn(text: string): string[] {
  return [...text.matchAll(ADDRESS)].map(([found]) => withoutEnd(found)).filter((address) => URL.canParse(address));
}

/** A bracket at the end belongs to an address that has opened it. */
function withoutEnd(found: string): string {
  let open = 0;
  for (const character of found) open += Number(character === '(') - Number(character === ')');
  let end = found.length;
  for (; BEHIND.has(found[end - 1] ?? ''); end -= 1) {
    if (found[end - 1] !== ')') continue;
    if (open >= 0) break;
    open += 1;
  }
  return found.slice(0, end);
}
