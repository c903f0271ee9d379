/** A reply as a model might write it, and what it must be read as. */
export interface ReplyRow<T> {
  readonly reply: string;
  readonly means: T;
}

/** Puts something around the text that was asked for. */
export type Wrapping = (text: string) => string;

const fenced =
  (language: string): Wrapping =>
  (text) =>
    `\`\`\`${language}\n${text}\n\`\`\``;

/** Forms in which models hand over JSON: alone, in fences, in prose, after a first try, in other languages. */
export const JSON_WRAPPINGS: readonly Wrapping[] = [
  (text) => text,
  (text) => `\n\n${text}\n`,
  fenced('json'),
  fenced('JSON'),
  fenced(''),
  (text) =>
    `Here is the JSON object you asked for:\n\n${fenced('json')(text)}\n\nLet me know if you need anything else!`,
  (text) => `**Result:**\n${text}`,
  (text) => `Sure! ${text} I hope this helps.`,
  (text) => `I weighed {quality} and {cost} [see 1], then decided.\n${text}`,
  (text) => `It says "use {braces}" and a 5" pipe.\r\n${text}\r\n`,
  (text) => `First try: {"x": 1}\nThat lacks everything. Corrected:\n${text}`,
  (text) => `${text}\n\nNote: I used the shape {"key": "value"} as asked.`,
  (text) => `Hier ist das Ergebnis:\n${text}\nViele Grüße`,
  (text) => `以下是结果：\n${text}\n希望对您有帮助。`,
  (text) => `Voici l’objet demandé :\n\n${fenced('json')(text)}`,
  (text) => `# Output\n\n> as requested\n\n${text}`,
  (text) => `Sorry for the delay { here it is:\n${text}`,
];

/** Spellings of JSON by models: each a writer of its own, so that none of it is made by the code that reads it. */
const SPELLINGS: readonly ((value: unknown) => string)[] = [
  (value) => JSON.stringify(value),
  (value) => JSON.stringify(value, undefined, 2),
  (value) => spelt(value, { separator: ',\n' }),
  (value) => spelt(value, { trailing: ',' }),
  (value) => spelt(value, { quotes: ["'", "'"] }),
  (value) => spelt(value, { quotes: ['“', '”'] }),
  (value) => spelt(value, { keyQuotes: ['', ''] }),
  (value) => spelt(value, { comment: ' // as asked\n' }),
  (value) => spelt(value, { comment: ' /* as asked */ ' }),
  (value) => spelt(value, { words: { null: 'None', true: 'True', false: 'False' }, quotes: ["'", "'"] }),
  (value) => spelt(value, { colon: '：', separator: '，' }),
];

interface Spelling {
  readonly quotes?: readonly [string, string];
  readonly keyQuotes?: readonly [string, string];
  readonly separator?: string;
  readonly trailing?: string;
  readonly comment?: string;
  readonly colon?: string;
  readonly words?: Readonly<Record<string, string>>;
}

function spelt(value: unknown, how: Spelling): string {
  const { quotes = ['"', '"'], keyQuotes = quotes, separator = ', ', trailing = '', comment = '', colon = ':' } = how;
  if (typeof value === 'string') return `${quotes[0]}${value}${quotes[1]}`;
  if (Array.isArray(value)) {
    const items = value.map((item) => spelt(item, how)).join(separator);
    return `[${items}${value.length > 0 ? trailing : ''}]`;
  }
  if (typeof value === 'object' && value !== null) {
    const members = Object.entries(value).map(
      ([key, member]) => `${keyQuotes[0]}${key}${keyQuotes[1]}${colon} ${spelt(member, how)}`,
    );
    return `{${comment}${members.join(separator)}${members.length > 0 ? trailing : ''}}`;
  }
  return how.words?.[String(value)] ?? String(value);
}

/** Every value in every wrapping, and in every spelling. */
export function inEveryShape<T>(values: readonly { readonly value: unknown; readonly means: T }[]): ReplyRow<T>[] {
  return values.flatMap(({ value, means }) => [
    ...JSON_WRAPPINGS.map((wrap) => ({ reply: wrap(JSON.stringify(value)), means })),
    ...SPELLINGS.flatMap((spell) =>
      [fenced('json'), (text: string) => `Here:\n${text}\nDone.`].map((wrap) => ({ reply: wrap(spell(value)), means })),
    ),
  ]);
}

/** Replies that mean the same. */
export function allMean<T>(means: T, replies: readonly string[]): ReplyRow<T>[] {
  return replies.map((reply) => ({ reply, means }));
}
