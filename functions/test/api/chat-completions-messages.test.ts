import { errorBody, naming } from '../support/api-errors';
import { sharedApp } from '../support/app';

/** Messages, and of what the one model of a plain request is shown the texts in order and the instructions. */
type Row = readonly [messages: readonly unknown[], texts: readonly string[], system?: string];

const user = (content: unknown): object => ({ role: 'user', content });
const assistant = (content: unknown): object => ({ role: 'assistant', content });
const system = (content: unknown): object => ({ role: 'system', content });
const parts = (...texts: string[]): object[] => texts.map((text) => ({ type: 'text', text }));

const WHY = user('Why?');

const READ: readonly Row[] = [
  [[WHY], ['Why?']],
  [
    [user('Hi'), assistant('Hello'), WHY],
    ['Hi', 'Hello', 'Why?'],
  ],
  // The last message is the prompt, whatever its role.
  [
    [user('Say it again'), assistant('Again')],
    ['Say it again', 'Again'],
  ],
  // The first system message counts wherever it stands; a second is neither the system prompt nor history.
  [[system('Be brief.'), WHY], ['Why?'], 'Be brief.'],
  [[user('Hi'), system('Be brief.'), WHY], ['Hi', 'Why?'], 'Be brief.'],
  [[system('Be brief.'), system('Be long.'), WHY], ['Why?'], 'Be brief.'],
  [[{ role: 'developer', content: 'Be brief.' }, WHY], ['Why?'], 'Be brief.'],
  [[{ role: 'system', name: 'editor', content: 'Be brief.' }, WHY], ['Why?'], 'editor: Be brief.'],
  // Tools and functions are history; parts are joined in every role.
  [
    [user('Hi'), { role: 'tool', content: '42', tool_call_id: 'c1' }, WHY],
    ['Hi', '42', 'Why?'],
  ],
  [
    [user('Hi'), { role: 'function', name: 'sum', content: '42' }, WHY],
    ['Hi', '42', 'Why?'],
  ],
  [[user(parts('One', 'Two'))], ['One\nTwo']],
  [
    [system(parts('Be', 'brief.')), assistant(parts('Hel', 'lo')), user(parts('Why?'))],
    ['Hel\nlo', 'Why?'],
    'Be\nbrief.',
  ],
  // Content may be missing or null on an assistant and a tool.
  [
    [user('Hi'), { role: 'assistant', content: null, tool_calls: [{ id: 'c1' }] }, WHY],
    ['Hi', 'Why?'],
  ],
  [
    [user('Hi'), { role: 'assistant', tool_calls: [] }, WHY],
    ['Hi', 'Why?'],
  ],
  [
    [user('Hi'), { role: 'tool', content: null }, WHY],
    ['Hi', 'Why?'],
  ],
  // Names that are none, and tool_calls of users, are not used.
  [
    [
      { role: 'user', content: 'Hi', name: ' ' },
      { role: 'user', content: 'Why?', name: 5, tool_calls: 'none', refusal: null },
    ],
    ['Hi', 'Why?'],
  ],
  // A refusal is what the assistant said.
  [
    [
      assistant([{ type: 'refusal', refusal: 'I cannot.' }]),
      { role: 'assistant', content: null, refusal: 'I will not.' },
      { role: 'assistant', content: 'I said why.', refusal: '' },
      WHY,
    ],
    ['I cannot.', 'I will not.', 'I said why.', 'Why?'],
  ],
  // A name that no protocol takes stands in the text.
  [
    [
      { role: 'user', name: 'Dr. Sam\nSmith', content: 'Hi' },
      { role: 'assistant', name: '<Ada>', content: 'Hello' },
      { role: 'user', name: 'x'.repeat(65), content: 'Why?' },
    ],
    ['Dr. Sam Smith: Hi', '<Ada>: Hello', `${'x'.repeat(65)}: Why?`],
  ],
];

const REFUSED: readonly (readonly [messages: readonly unknown[], body: unknown])[] = [
  [['Why?'], naming('messages[0]')],
  [[user('Hi'), null], naming('messages[1]')],
  [[{ content: 'Why?' }], naming('messages[0].role')],
  [[{ role: 'narrator', content: 'Why?' }], naming('messages[0].role')],
  [[user('Hi'), { role: 'User', content: 'x' }, WHY], naming('messages[1].role')],
  [[{ role: 'user' }], naming('messages[0].content')],
  [[user(null)], naming('messages[0].content')],
  [[system(null), WHY], naming('messages[0].content')],
  [[user(7)], naming('messages[0].content')],
  [[user({ text: 'Why?' })], naming('messages[0].content')],
  [[user([{ type: 'text' }])], naming('messages[0].content[0]')],
  [[user(['Why?'])], naming('messages[0].content[0]')],
  [
    [assistant([{ type: 'refusal', text: 'No.' }]), WHY],
    errorBody('Invalid messages[0].content[0]: must have a string "refusal"'),
  ],
  ...['image_url', 'input_audio', 'file', 'video'].map(
    (type) =>
      [
        [user([...parts('Look:'), { type, [type]: { url: 'https://example.test/a' } }])],
        errorBody(expect.stringMatching(new RegExp(`^Invalid messages\\[0\\]\\.content\\[1\\]: .*"${type}"`))),
      ] as const,
  ),
];

describe('POST /v1/chat/completions: messages', () => {
  const app = sharedApp();

  it.each(READ)('%j is read', async (messages, ...[texts, instructions]) => {
    const { status, calls } = await app.complete({ messages });
    const shown = calls.map(({ prompt }) => ({ system: prompt.system, texts: prompt.turns.map(({ text }) => text) }));
    expect([status, shown]).toEqual([200, [{ system: instructions, texts }]]);
  });

  it.each(REFUSED)('%j is refused', async (messages, expected) => {
    const { status, body, calls } = await app.complete({ messages });
    expect({ status, body, calls }).toEqual({ status: 400, body: expected, calls: [] });
  });

  const CHAT = [
    { role: 'user', name: 'Adam', content: 'I am from Seattle.' },
    { role: 'assistant', name: 'guide-1', content: 'Hello.' },
    { role: 'user', name: 'Sam', content: 'Who am I?' },
  ];

  it('names go to one model beside the texts', async () => {
    const { body, calls } = await app.complete({ messages: CHAT });
    expect(body.ignored).toBeUndefined();
    expect(calls[0]?.prompt.turns).toEqual([
      { role: 'user', name: 'Adam', text: 'I am from Seattle.' },
      { role: 'assistant', name: 'guide-1', text: 'Hello.' },
      { role: 'user', name: 'Sam', text: 'Who am I?' },
    ]);
  });

  it('an ensemble is told in the last message who has sent it, as it is the beginning of a task', async () => {
    const { calls } = await app.complete({ messages: CHAT, ai_ensemble: { models: ['gpt-4o', 'gpt-4.1'] } });
    expect(calls.length).toBeGreaterThan(2);
    for (const { prompt } of calls) {
      expect(prompt.turns.map(({ name }) => name)).toEqual(['Adam', 'guide-1', undefined]);
      expect(prompt.turns.at(-1)?.text).toMatch(/^Sam: Who am I\?/);
    }
  });

  it('history keeps who said what: assistant turns stay the assistant’s, all others are the user’s', async () => {
    const { calls } = await app.complete({
      messages: [user('Hi'), assistant('Hello'), { role: 'tool', content: '42' }, user('Why?')],
    });
    expect(calls[0]?.prompt.turns.map(({ role }) => role)).toEqual(['user', 'assistant', 'user', 'user']);
  });
});
