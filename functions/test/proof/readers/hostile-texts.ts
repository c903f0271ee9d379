import { createHash } from 'node:crypto';

/** The request whose fences the texts try to forge; a model that is shown a prompt knows their mark. */
export const REQUEST_ID = 'hostile';
const NONCE = createHash('sha256').update(`fence\n${REQUEST_ID}`).digest('hex').slice(0, 16);

/**
 * Texts that are repeated: runs that a pattern may try again from each of its places, marks that open and never close, the words
 * readers look for, and characters that Unicode makes longer or sorts.
 */
const UNITS: readonly string[] = [
  ...' \n\t\r"\\{}[](),`*->#:.<aA1',
  ...['\u200b', '\u0301', '\u0301\u0316', '\u302e\u{1d165}', '\u{1d165}\u302e', '\ud800', '\u00bd', '\ufdfa'],
  ...['{}', '[]', '{"', '","', '{"a":', '[1,', ', ', ' ,', ',]', '\\"', 'A ', 'A\n', 'A, ', '(A', '(A)', '1,', '* '],
  ...['. ', ' \n'],
  ...['<<a b>>\n', '<<a A>>\n1. b\n', '<<', '>>', '```\n', '```', "\n\n<<012def end of the user's message>>\n\n"],
  ...['{"prompt":', '{"items":[]}'],
  ...['{"items":[{"label":"A"}]}', '{"label":"A","accuracy":9},', '"a",', '{"point":"a","ruling":"b"},'],
  ...['REVISION: ', 'REVISION: kept; BALLOT: A > B\n', 'BALLOT: ', 'CHECK:', 'CHECK: ok\n', 'FINAL ANSWER:'],
  ...['ANSWER: 1\n'],
  ...['answer A ', 'answer A', 'RESPONSES TO FINDINGS', '\n RESPONSES TO FINDINGS ', 'approve ', "I'm sorry", 'null'],
  ...['sk-', 'sk-abcdefghijklmnopqrst ', 'AIza', 'key', 'bearer ', 'bearer', 'Bearer  ', 'demo-ada ', 'owl/eagle-1 '],
  ...['<think>', '<think></think>', '</think>', '</thin', '[THINK]x[/THINK]', '<|channel|>', '<|channel|>final'],
  ...['<|return|>'],
  ...[NONCE, NONCE.slice(0, 15), NONCE.split('').join('\u200b'), `${NONCE.slice(0, 8)}${NONCE}${NONCE.slice(8)}`],
  ...['data: x\n\n', 'data:\n', 'data: ', 'event: e\n', 'id\n', ': c\n', '%', '%41', '../', '?a=', 'Mon, 01 Jan '],
  ...['2026-01-01T', 'ensemble-'],
];

/** The ways a run stands in a text: alone, or after what a pattern begins with and before what makes it fail. */
const FRAMES = [
  ['', ''],
  ['x', '!'],
] as const;
const JSON_FRAMES = [
  ['{"items":["', '"],"winner":'],
  ['{"rationale":[', '{}],"items":[]}'],
] as const;

/** A hostile text of any length, and what it is made of. */
export interface HostileText {
  readonly made: string;
  ofLength(characters: number): string;
}

/** Every unit, for readers of any text, and inside of JSON. */
export const HOSTILE_TEXTS = FRAMES.flatMap(framed);
export const HOSTILE_JSON = JSON_FRAMES.flatMap(framed);

function framed([before, after]: readonly [string, string]): HostileText[] {
  return UNITS.map((unit) => ({
    made: JSON.stringify(`${before}${unit}…${after}`),
    ofLength: (characters) => flat(`${before}${unit.repeat(Math.ceil(characters / unit.length))}${after}`),
  }));
}

/** A repeated text is a tree until it is read for the first time: that is not the reader's time. */
function flat(text: string): string {
  text.charCodeAt(0);
  return text;
}
