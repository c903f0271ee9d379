/** Deeper than any reply that was asked for; beyond it the stack would overflow. */
const DEPTH_MAX = 200;
const CLOSING_QUOTE: Readonly<Record<string, string>> = { '"': '"“”', "'": "'‘’", '“': '”"', '‘': "’'" };
const WORDS: Readonly<Record<string, unknown>> = {
  ...{ true: true, True: true, TRUE: true, false: false, False: false, FALSE: false },
  ...{ null: null, None: null, undefined: null, NaN: null },
};
const COMMENTS = [
  ['//', '\n'],
  ['#', '\n'],
  ['/*', '*/'],
] as const;
const CONTROLS: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' };

/**
 * Value of malformed JSON: with comments, trailing or missing commas, keys without quotes, single or curved
 * quotes, quotes and line ends within texts, Python's words. Of a text that was cut off, all that is complete. Undefined
 * for anything else. One pass, where the library `jsonrepair` takes a minute for 160 kB of a hostile reply.
 */
export function relaxedJson(text: string): unknown {
  try {
    const value = new RelaxedReader(text).value(0);
    return value === CUT ? undefined : value;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

const CUT = Symbol('cut');

class RelaxedReader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  /** The value that begins here; throws a SyntaxError for what is none. */
  value(depth: number): unknown {
    if (depth > DEPTH_MAX) throw new SyntaxError('too deep');
    this.#skip();
    const character = this.#text.charAt(this.#at);
    if (character === '{') return this.#object(depth);
    if (character === '[') return this.#list(depth);
    if (character in CLOSING_QUOTE) return this.#string(character);
    return this.#word();
  }

  #object(depth: number): Record<string, unknown> {
    const members: [string, unknown][] = [];
    this.#at += 1;
    for (let next = this.#next('}'); next; next = this.#next('}')) {
      const key = this.#key();
      this.#skip();
      if (key === CUT || this.#isOver()) break;
      if (!':：='.includes(this.#text.charAt(this.#at))) throw new SyntaxError('no colon');
      this.#at += 1;
      const value = this.value(depth + 1);
      if (value === CUT) break;
      members.push([String(key), value]);
    }
    return Object.fromEntries(members);
  }

  #list(depth: number): unknown[] {
    const items: unknown[] = [];
    this.#at += 1;
    for (let next = this.#next(']'); next; next = this.#next(']')) {
      const item = this.value(depth + 1);
      if (item === CUT) break;
      items.push(item);
    }
    return items;
  }

  /** Goes over what parts items; false at the end of them, or of the text. */
  #next(closing: string): boolean {
    for (this.#skip(); ',，;'.includes(this.#text.charAt(this.#at)) && !this.#isOver(); this.#skip()) this.#at += 1;
    if (this.#text.charAt(this.#at) !== closing) return !this.#isOver();
    this.#at += 1;
    return false;
  }

  #key(): unknown {
    const character = this.#text.charAt(this.#at);
    return character in CLOSING_QUOTE ? this.#string(character) : this.#run(/[^\s,:：={}[\]"']+/y);
  }

  /** A quote ends a text only where something can follow it: others are part of the text. */
  #string(opening: string): unknown {
    const closing = CLOSING_QUOTE[opening] ?? opening;
    const start = this.#at + 1;
    for (let at = start; at < this.#text.length; at += 1) {
      const character = this.#text.charAt(at);
      if (character === '\\') at += 1;
      else if (closing.includes(character) && this.#endsAfter(at + 1)) {
        this.#at = at + 1;
        return unescaped(this.#text.slice(start, at));
      }
    }
    this.#at = this.#text.length;
    return CUT;
  }

  #endsAfter(place: number): boolean {
    const at = afterBlanks(this.#text, place);
    if (at === this.#text.length || ',，:：=}];'.includes(this.#text.charAt(at))) return true;
    if (this.#text.startsWith('//', at) || this.#text.startsWith('/*', at)) return true;
    // A comma is missing at the end of the line.
    return this.#text.charAt(at) in CLOSING_QUOTE && this.#text.slice(place, at).includes('\n');
  }

  /** A number, a word of JSON or Python, or a text of one word without its quotes. */
  #word(): unknown {
    const word = this.#run(/[^\s,，:：{}[\]"'“”‘’]+/y);
    if (this.#isOver()) return CUT;
    if (Object.hasOwn(WORDS, word)) return WORDS[word];
    if (!Number.isNaN(Number(word))) return Number(word);
    if (',，}]\n'.includes(this.#text.charAt(afterBlanks(this.#text, this.#at)))) return word;
    throw new SyntaxError('no value');
  }

  #run(pattern: RegExp): string {
    pattern.lastIndex = this.#at;
    const run = pattern.exec(this.#text)?.[0];
    if (run === undefined) throw new SyntaxError('nothing here');
    this.#at += run.length;
    return run;
  }

  #skip(): void {
    for (let start = -1; start !== this.#at; ) {
      start = afterBlanks(this.#text, this.#at);
      const [, end = ''] = COMMENTS.find(([opening]) => this.#text.startsWith(opening, start)) ?? [];
      const at = this.#text.indexOf(end, start);
      this.#at = at < 0 ? this.#text.length : at + end.length;
    }
  }

  #isOver(): boolean {
    return this.#at >= this.#text.length;
  }
}

function afterBlanks(text: string, place: number): number {
  let at = place;
  while (at < text.length && /\s/.test(text.charAt(at))) at += 1;
  return at;
}

/** Escapes that JSON does not know stand for themselves, as in `\alpha`. */
function unescaped(raw: string): string {
  return raw.replace(
    /\\(?:u([\da-fA-F]{4})|([bfnrt])|(["'\\/“”‘’]))/g,
    (_, code: string | undefined, control = '', mark = '') =>
      code === undefined ? (CONTROLS[control] ?? mark) : String.fromCharCode(Number.parseInt(code, 16)),
  );
}
