/** Keywords of the lines for the service that a reply begins with: in English in every language. */
export type StatusKey = 'REVISION' | 'BALLOT' | 'DISSENT' | 'STANCE' | 'CHECK' | 'FINDING';

/** A reply and what its status lines say. */
export interface StatusLines {
  readonly text: string;
  /** Words behind each keyword; those of several findings in lines of their own. */
  readonly said: Readonly<Partial<Record<StatusKey, string>>>;
}

const FIELDS_MAX = 4;
/** So many lines of the reply's own behind a status line at its end are forgiven, such as a closing fence. */
const LINES_BEHIND_MAX = 2;
/** Markup, quotation marks and the marks of a comment, before a line and behind it. */
const OPENING = /^(?:rem\s)?[\s*_`>#"'“”‘([{•·/;%!<-]{0,20}/i;
const CLOSING = /[\s*_`"'”/>-]/;
const KEY = /(?<=^|[;,|]\s{0,4}[*_`]{0,4})(REVISION|BALLOT|DISSENT|STANCE|CHECK|FINDING[\s#]{0,3}(?=\d))/gi;
const COLON = /^(\d{0,2})[\s*_`"'”]{0,8}[:：][\s*_`"'“”([]{0,8}/;
const CODE_FENCE = /^\s{0,12}(?:`{3,}|~{3,})/;

/** Stands for a line that is taken out; no character of any text. */
const TAKEN = '\ufdd0';
/** A code fence that holds nothing but such lines. */
const TAKEN_FENCE = /(?<=^|\n)\s{0,12}(`{3,}|~{3,})[^\n]*\n\s*\ufdd0[\ufdd0\s]*\1[ \t]*(?=\n|$)/g;

/**
 * Takes the status lines out of a reply: they are asked for at its beginning, and models also put them at its end, in
 * bold, in a comment, or in a code fence of their own. `keys` are those that were asked for. Linear.
 */
export function readStatusLines(reply: string, keys: readonly StatusKey[]): StatusLines {
  const lines = reply.trim().split('\n');
  const found = new Map<number, [StatusKey, string][]>();
  const note = (at: number): boolean => {
    const said = statusOf(lines[at] ?? '', keys);
    if (said.length > 0) found.set(at, said);
    return said.length > 0;
  };
  const isFence = (at: number): boolean => CODE_FENCE.test(lines[at] ?? '');
  const isBlank = (at: number): boolean => lines[at]?.trim() === '';
  let from = 0;
  while (from < lines.length && (note(from) || isBlank(from) || isFence(from))) from += 1;
  let behind = 0;
  for (let at = lines.length - 1; at >= from && behind <= LINES_BEHIND_MAX; at -= 1) {
    if (!note(at) && !isBlank(at)) behind += 1;
  }
  const left = lines.map((line, at) => (found.has(at) ? TAKEN : line)).join('\n');
  const text = left.replace(TAKEN_FENCE, '').replace(/\ufdd0\n?/g, '');
  return { text: text.trim(), said: wordsOf([...found].sort(([a], [b]) => a - b).flatMap(([, said]) => said)) };
}

/** The words behind each keyword of a line, in order; none where it does not begin with one. */
function statusOf(line: string, keys: readonly StatusKey[]): [StatusKey, string][] {
  const bare = line.replace(OPENING, '');
  const marks = [...bare.matchAll(KEY)].slice(0, FIELDS_MAX).flatMap(({ 0: word, index }) => {
    const colon = COLON.exec(bare.slice(index + word.length));
    const key = keys.find((each) => word.toUpperCase().startsWith(each));
    const isWithin = /[(（][^)）]*$/.test(bare.slice(0, index));
    return colon && key && !isWithin
      ? [{ key, index, from: index + word.length + colon[0].length, number: colon[1] ?? '' }]
      : [];
  });
  if (marks[0]?.index !== 0) return [];
  return marks.map(({ key, from, number }, at) => {
    const said = withoutClosing(bare.slice(from, marks[at + 1]?.index).replace(/[;,|]\s*$/, ''));
    return [key, number === '' ? said : `${number}: ${said}`];
  });
}

function withoutClosing(text: string): string {
  let end = text.length;
  while (end > 0 && CLOSING.test(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}

/** The first words of each keyword count; findings are many. */
function wordsOf(said: readonly [StatusKey, string][]): StatusLines['said'] {
  const words: Partial<Record<StatusKey, string>> = {};
  for (const [key, text] of said) {
    if (key === 'FINDING' && words.FINDING !== undefined) words.FINDING += `\n${text}`;
    else words[key] ??= text;
  }
  return words;
}
