/** Something a user may want of an answer beside its content. */
export interface UserWish {
  readonly name: string;
  readonly message: string;
  /** Aspect of the message that a model has to be sent back to, if it is to do this. */
  readonly aspect: 'form' | 'language' | 'length' | 'measure';
  /** Text of a model that does as it is asked. */
  readonly done: string;
  /** True if a text is as asked. */
  holds(text: string): boolean;
}

/** Text of a model that was told to write an answer and not how: long, in English, in steps. */
export const ESSAY = [
  'Let us look at this carefully, as several sides of it deserve attention.',
  ...Array.from({ length: 30 }, (_, index) => `${index + 1}. It should be noted that this point has some weight too.`),
  'In conclusion, all of the above has to be weighed.',
].join('\n\n');

/** One of them that leaves no room for steps, sides or reasons. */
export const HAIKU: UserWish = {
  name: 'a haiku',
  message: 'Write a haiku about rain.',
  aspect: 'form',
  done: 'Rain on the tin roof\nthe cat counts every heartbeat\nof the passing cloud',
  holds: (text) => text.split('\n').length === 3 && text.length < 120,
};

/** Wishes of users, each in one message. */
export const USER_WISHES: readonly UserWish[] = [
  {
    name: 'one word',
    message: 'What is the capital of France? Answer with one word.',
    aspect: 'form',
    done: 'Paris',
    holds: (text) => /^\w+\.?$/.test(text),
  },
  {
    name: 'only JSON',
    message: 'Give me two fruits as a JSON array, and nothing but the JSON.',
    aspect: 'form',
    done: '["apple", "pear"]',
    holds: (text) => isJson(text),
  },
  {
    name: 'code',
    message: 'Write add(a, b) in Python. Only the code, please.',
    aspect: 'form',
    done: '```python\ndef add(a, b):\n    return a + b\n```',
    holds: (text) => /^```python\n[^`]+\n```$/.test(text),
  },
  {
    name: 'French',
    message: 'Pourquoi le ciel est-il bleu ?',
    aspect: 'language',
    done: 'Parce que l’air diffuse surtout la lumière bleue.',
    holds: (text) => /lumière/.test(text) && !/\b(?:the|this|and|of)\b/i.test(text),
  },
  HAIKU,
  {
    name: '“hi”',
    message: 'hi',
    aspect: 'measure',
    done: 'Hi! How can I help?',
    holds: (text) => text.split(/\s+/).length <= 8,
  },
  {
    name: 'at most 300 words',
    message: 'Tell me about the Rhine in at most 300 words.',
    aspect: 'length',
    done: 'The Rhine rises in the Alps. '.repeat(40).trim(),
    holds: (text) => text.split(/\s+/).length <= 300 && /Rhine/.test(text),
  },
];

function isJson(text: string): boolean {
  try {
    return Array.isArray(JSON.parse(text));
  } catch {
    return false;
  }
}
