import type { ChatTurn } from './model';
import { cachedTokensMin, markedConversation } from './prompt-caches';

const said = (text: string): ChatTurn => ({ role: 'user', text });
const calling: ChatTurn = { role: 'assistant', text: '', toolCalls: [{ id: 'c', name: 'look', arguments: '{}' }] };
const returned: ChatTurn = { role: 'user', text: '', toolResults: [{ callId: 'c', name: 'look', text: 'Seen.' }] };
const answered: ChatTurn = { role: 'assistant', text: 'Done.' };

const FIRST = said('Fix it.');
const LOOP = [FIRST, calling, returned, calling, returned];
const AGAIN = said('Now the tests.');

interface Row {
  readonly rule: string;
  readonly turns: readonly ChatTurn[];
  readonly passing?: number;
  readonly marks: readonly (readonly number[] | null)[];
}

it.each<Row>([
  { rule: 'one message', turns: [FIRST], marks: [[0]] },
  { rule: 'results of tools, and the end of the request before', turns: LOOP, marks: [null, null, [0], null, [0]] },
  {
    rule: 'a new message, and the results that the request before had ended with',
    turns: [...LOOP, answered, AGAIN],
    marks: [null, null, null, null, [0], null, [0]],
  },
  {
    rule: 'results with a message behind them: they are one turn to providers',
    turns: [...LOOP, said('Look at both.')],
    marks: [null, null, [0], null, null, [0]],
  },
  {
    rule: 'results with words that the next request is without',
    turns: LOOP,
    passing: 5,
    marks: [null, null, [0], null, [5]],
  },
  {
    rule: 'a new message with such words, and the results before it',
    turns: [...LOOP, answered, AGAIN],
    passing: 5,
    marks: [null, null, null, null, [0], null, [5]],
  },
])('marks $rule', ({ turns, passing, marks }) => {
  const marked = markedConversation({ turns }, passing).turns;
  expect(marked.map(({ cacheMarks }) => cacheMarks ?? null)).toEqual(marks);
  expect(marked.map(({ cacheMarks: _, ...turn }) => turn)).toEqual(turns);
});

it.each([
  ['claude-opus-5', 512],
  ['claude-sonnet-4-5', 1_024],
  ['claude-3-5-haiku-latest', 2_048],
  ['claude-opus-4-7', 2_048],
  ['claude-haiku-4-5-20251001', 4_096],
  ['anthropic/claude-opus-4.6', 4_096],
  ['gpt-4.1', 1_024],
])('%s keeps prompts of %i tokens', (providerModel, tokens) => {
  expect(cachedTokensMin({ providerModel })).toBe(tokens);
});
