/** Bounds on the contents of a JSON text, however long it is. */
export interface JsonLimits {
  /** Levels of nested objects and lists, the outermost included. */
  readonly depthMax: number;
  /** Objects, lists, texts, numbers, booleans and nulls at any depth, the outermost included. */
  readonly valuesMax: number;
}

/** Ten times what the longest conversations with the most tools come to; at the limit a body is parsed in 0.05 s. */
const BODY_LIMITS: JsonLimits = { depthMax: 64, valuesMax: 30_000 };

const SPACE = 0x20;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
/** Tables of what a byte adds to the depth and, as far as the byte alone tells, to the values. */
const DEPTH = tableOf({ '[': 1, '{': 1, ']': -1, '}': -1 });
const VALUES = tableOf({ '[': 1, '{': 1, ',': 1 });

/** Excess of a text that `JSON.parse` would take seconds for; undefined where there is none, be it JSON or not. */
export function jsonExcess(bytes: Uint8Array, { depthMax, valuesMax }: JsonLimits = BODY_LIMITS): string | undefined {
  let depth = 0;
  let values = 1;
  let last = 0;
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at] as number;
    if (byte <= SPACE) continue;
    if (byte === QUOTE) at = endOfString(bytes, at);
    const deeper = DEPTH[byte] as number;
    depth += deeper;
    values += VALUES[byte] as number;
    // Nothing was in this list or object after all.
    if (deeper < 0 && DEPTH[last] === 1) values -= 1;
    if (depth > depthMax) return `more than ${depthMax} levels deep`;
    // One of them may yet turn out to be none.
    if (values > valuesMax + 1) return tooMany(valuesMax);
    last = byte;
  }
  return values > valuesMax ? tooMany(valuesMax) : undefined;
}

function tooMany(valuesMax: number): string {
  return `more than ${valuesMax.toLocaleString('en')} values`;
}

/** End of the string that begins here: its closing quote, or the end of the text. */
function endOfString(bytes: Uint8Array, start: number): number {
  let at = start + 1;
  while (at < bytes.length && bytes[at] !== QUOTE) at += bytes[at] === BACKSLASH ? 2 : 1;
  return at;
}

function tableOf(entries: Readonly<Record<string, number>>): Int8Array {
  const table = new Int8Array(256);
  for (const [character, entry] of Object.entries(entries)) table[character.charCodeAt(0)] = entry;
  return table;
}

export function parsedJson(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}
