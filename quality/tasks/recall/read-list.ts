/** What stands in a list, and what else was written. */
export interface ReadList {
  /** In small letters, without bullets and numbers. */
  readonly items: readonly string[];
  /** Lines that are no items: an introduction, a remark. */
  readonly otherLines: number;
}

const CHARACTERS_READ = 20_000;
const ITEM_CHARACTERS_MAX = 40;
const BULLET = /^(?:[-*•–]|\(?\d{1,3}[.):]|\d{1,3} -)\s+/;
const MARKS = /[*_`"“”]/g;
/** A remark behind an item: its symbol, its number, a word about it. */
const REMARK = /\s*(?:\(.*\)|\[.*\]|[:,;–—] .*| - .*)$/;

/** The items of a list with one item a line. */
export function readList(answer: string): ReadList {
  const lines = answer.slice(0, CHARACTERS_READ).split('\n');
  const items: string[] = [];
  let otherLines = 0;
  for (const line of lines) {
    const bare = line.slice(0, 200).replace(MARKS, '').trim();
    if (bare === '' || bare === '---') continue;
    const item = bare
      .replace(BULLET, '')
      .replace(REMARK, '')
      .replace(/[.,;]+$/, '')
      .trim()
      .toLowerCase();
    if (bare.endsWith(':') || item === '' || item.length > ITEM_CHARACTERS_MAX) otherLines += 1;
    else items.push(item);
  }
  return { items, otherLines };
}
