import { errorBody, naming } from '../support/api-errors';
import { type App, startApp } from '../support/app';

/** What the one model of a plain request is shown of the messages: instructions, then the texts in order. */
interface Shown {
  readonly system?: string;
  readonly texts: readonly string[];
}

interface Row {
  readonly rule: string;
  readonly messages: readonly unknown[];
  readonly expected: Shown;
}

const user = (content: unknown): object => ({ role: 'user', content });
const assistant = (content: unknown): object => ({ role: 'assistant', content });
const system = (content: unknown): object => ({ role: 'system', content });
const parts = (...texts: string[]): object[] => texts.map((text) => ({ type: 'text', text }));

const READ: readonly Row[] = [
  { rule: 'the last message is the prompt', messages: [user('Why?')], expected: { texts: ['Why?'] } },
  {
    rule: 'earlier non-system messages become history, in order',
    messages: [user('Hi'), assistant('Hello'), user('Why?')],
    expected: { texts: ['Hi', 'Hello', 'Why?'] },
  },
  {
    rule: 'the last message is the prompt whatever its role',
    messages: [user('Say it again'), assistant('Again')],
    expected: { texts: ['Say it again', 'Again'] },
  },
  {
    rule: 'the first system message is the arbiter system prompt',
    messages: [system('Be brief.'), user('Why?')],
    expected: { system: 'Be brief.', texts: ['Why?'] },
  },
  {
    rule: 'the first system message counts wherever it stands',
    messages: [user('Hi'), system('Be brief.'), user('Why?')],
    expected: { system: 'Be brief.', texts: ['Hi', 'Why?'] },
  },
  {
    rule: 'a second system message is neither the system prompt nor history',
    messages: [system('Be brief.'), system('Be long.'), user('Why?')],
    expected: { system: 'Be brief.', texts: ['Why?'] },
  },
  {
    rule: 'role developer is system',
    messages: [{ role: 'developer', content: 'Be brief.' }, user('Why?')],
    expected: { system: 'Be brief.', texts: ['Why?'] },
  },
  {
    rule: 'role tool is history',
    messages: [user('Hi'), { role: 'tool', content: '42', tool_call_id: 'c1' }, user('Why?')],
    expected: { texts: ['Hi', '42', 'Why?'] },
  },
  {
    rule: 'role function is tool',
    messages: [user('Hi'), { role: 'function', name: 'sum', content: '42' }, user('Why?')],
    expected: { texts: ['Hi', '42', 'Why?'] },
  },
  {
    rule: 'an array of text parts is joined',
    messages: [user(parts('One', 'Two'))],
    expected: { texts: ['One\nTwo'] },
  },
  {
    rule: 'text parts are joined in every role',
    messages: [system(parts('Be', 'brief.')), assistant(parts('Hel', 'lo')), user(parts('Why?'))],
    expected: { system: 'Be\nbrief.', texts: ['Hel\nlo', 'Why?'] },
  },
  {
    rule: 'null content is fine on assistant',
    messages: [user('Hi'), { role: 'assistant', content: null, tool_calls: [{ id: 'c1' }] }, user('Why?')],
    expected: { texts: ['Hi', 'Why?'] },
  },
  {
    rule: 'missing content is fine on assistant',
    messages: [user('Hi'), { role: 'assistant', tool_calls: [] }, user('Why?')],
    expected: { texts: ['Hi', 'Why?'] },
  },
  {
    rule: 'null content is fine on tool',
    messages: [user('Hi'), { role: 'tool', content: null }, user('Why?')],
    expected: { texts: ['Hi', 'Why?'] },
  },
  {
    rule: 'names that are none, and tool_calls of users, are accepted and not used, whatever they hold',
    messages: [
      { role: 'user', content: 'Hi', name: ' ' },
      { role: 'user', content: 'Why?', name: 5, tool_calls: 'none', refusal: null },
    ],
    expected: { texts: ['Hi', 'Why?'] },
  },
  {
    rule: 'what the assistant refused is what it said',
    messages: [
      user('Hi'),
      assistant([{ type: 'refusal', refusal: 'I cannot.' }]),
      { role: 'assistant', content: null, refusal: 'I will not.' },
      { role: 'assistant', content: 'I said why.', refusal: '' },
      user('Why?'),
    ],
    expected: { texts: ['Hi', 'I cannot.', 'I will not.', 'I said why.', 'Why?'] },
  },
  {
    rule: 'a name that no protocol takes is told in the text',
    messages: [
      { role: 'user', name: 'Dr. Sam\nSmith', content: 'Hi' },
      { role: 'assistant', name: '<Ada>', content: 'Hello' },
      { role: 'user', name: 'x'.repeat(65), content: 'Why?' },
    ],
    expected: { texts: ['Dr. Sam Smith: Hi', '<Ada>: Hello', `${'x'.repeat(65)}: Why?`] },
  },
  {
    rule: 'whose instructions they are is told in their text',
    messages: [{ role: 'system', name: 'editor', content: 'Be brief.' }, user('Why?')],
    expected: { system: 'editor: Be brief.', texts: ['Why?'] },
  },
];

const REFUSED: readonly { rule: string; messages: readonly unknown[]; expected: unknown }[] = [
  { rule: 'a message is an object', messages: ['Why?'], expected: naming('messages[0]') },
  { rule: 'a message is not null', messages: [user('Hi'), null], expected: naming('messages[1]') },
  { rule: 'role is required', messages: [{ content: 'Why?' }], expected: naming('messages[0].role') },
  {
    rule: 'role is one of the known ones',
    messages: [{ role: 'narrator', content: 'Why?' }],
    expected: naming('messages[0].role'),
  },
  {
    rule: 'the field is named with its place in the list',
    messages: [user('Hi'), { role: 'User', content: 'x' }, user('Why?')],
    expected: naming('messages[1].role'),
  },
  { rule: 'content is required', messages: [{ role: 'user' }], expected: naming('messages[0].content') },
  { rule: 'content null is missing on user', messages: [user(null)], expected: naming('messages[0].content') },
  {
    rule: 'content null is missing on system',
    messages: [system(null), user('Why?')],
    expected: naming('messages[0].content'),
  },
  { rule: 'content is no number', messages: [user(7)], expected: naming('messages[0].content') },
  { rule: 'content is no object', messages: [user({ text: 'Why?' })], expected: naming('messages[0].content') },
  {
    rule: 'a text part needs its text',
    messages: [user([{ type: 'text' }])],
    expected: naming('messages[0].content[0]'),
  },
  {
    rule: 'a refusal part needs its refusal',
    messages: [assistant([{ type: 'refusal', text: 'No.' }]), user('Why?')],
    expected: errorBody('Invalid messages[0].content[0]: must have a string "refusal"'),
  },
  {
    rule: 'a content part is no plain string',
    messages: [user(['Why?'])],
    expected: naming('messages[0].content[0]'),
  },
  ...['image_url', 'input_audio', 'file', 'video'].map((type) => ({
    rule: `another content part is refused by its type: ${type}`,
    messages: [user([...parts('Look:'), { type, [type]: { url: 'https://example.test/a' } }])],
    expected: errorBody(expect.stringMatching(new RegExp(`^Invalid messages\\[0\\]\\.content\\[1\\]: .*"${type}"`))),
  })),
];

describe('POST /v1/chat/completions: messages', () => {
  let app: App;
  beforeAll(async () => {
    app = await startApp();
  });
  beforeEach(() => app.models.reset());
  afterAll(() => app.close());

  it.each(READ)('$rule (200)', async ({ messages, expected }) => {
    const { status, calls } = await app.complete({ messages });
    expect(status).toBe(200);
    expect(calls).toHaveLength(1);
    const { system: instructions, turns } = calls[0]?.prompt ?? { turns: [] };
    expect({ system: instructions, texts: turns.map(({ text }) => text) }).toEqual(expected);
  });

  it.each(REFUSED)('$rule (400)', async ({ messages, expected }) => {
    const { status, body, calls } = await app.complete({ messages });
    expect({ status, body }).toEqual({ status: 400, body: expected });
    expect(calls).toEqual([]);
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
