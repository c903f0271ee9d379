/** Something a user may want of an answer beside its content. */
export interface UserWish {
  readonly name: string;
  readonly message: string;
  /** What a model has to be sent back to the message for, if it is to do this. */
  readonly aspect: 'form' | 'language' | 'length' | 'measure';
  /** What a model writes that does as it is asked. */
  readonly done: string;
  /** Whether a text is what was asked for. */
  holds(text: string): boolean;
}

/** What a model writes that was told to write an answer and not how: long, in English, in steps. */
export const ESSAY = [
  'Let us look at this carefully, as several sides of it deserve attention.',
  ...Array.from({ length: 30 }, (_, index) => `${index + 1}. It should be noted that this point has some weight too.`),
  'In conclusion, all of the above has to be weighed.',
].join('\n\n');

function wish(
  [name, aspect, message]: readonly [string, UserWish['aspect'], string],
  done: string,
  holds: UserWish['holds'],
) {
  return { name, aspect, message, done, holds };
}

/** One that leaves no room for steps, sides or reasons. */
export const HAIKU = wish(
  ['a haiku', 'form', 'Write a haiku about rain.'],
  'Rain on the tin roof\nthe cat counts every heartbeat\nof the passing cloud',
  (text) => text.split('\n').length === 3 && text.length < 120,
);

/** Wishes of users in one message each. */
export const USER_WISHES: readonly UserWish[] = [
  HAIKU,
  wish(['one word', 'form', 'What is the capital of France? Answer with one word.'], 'Paris', (text) =>
    /^\w+\.?$/.test(text),
  ),
  wish(
    ['only JSON', 'form', 'Give me two fruits as a JSON array, and nothing but the JSON.'],
    '["apple", "pear"]',
    (text) => /^\[("\w+"(, )?)+\]$/.test(text),
  ),
  wish(
    ['code', 'form', 'Write add(a, b) in Python. Only the code, please.'],
    '```python\ndef add(a, b):\n    return a + b\n```',
    (text) => /^```python\n[^`]+\n```$/.test(text),
  ),
  wish(
    ['French', 'language', 'Pourquoi le ciel est-il bleu ?'],
    'Parce que l’air diffuse surtout la lumière bleue.',
    (text) => /lumière/.test(text) && !/\b(?:the|this|and|of)\b/i.test(text),
  ),
  wish(['“hi”', 'measure', 'hi'], 'Hi! How can I help?', (text) => text.split(/\s+/).length <= 8),
  wish(
    ['at most 300 words', 'length', 'Tell me about the Rhine in at most 300 words.'],
    'The Rhine rises in the Alps. '.repeat(40).trim(),
    (text) => text.split(/\s+/).length <= 300 && /Rhine/.test(text),
  ),
];
