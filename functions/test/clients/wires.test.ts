import { startApp } from '../support/app';
import { PLAIN, type Script } from '../support/scripted-models';
import { JAVASCRIPT, outputOf, PYTHON, testIn } from './language-scripts';

/** Clients of the Responses protocol, of Messages and of MCP, with nothing set but address and key. */

const ANSWER = 'A tomato is a fruit.';
const VERDICT = { fruit: true, why: 'It has seeds.' };

const all = (clients: string, outcome: unknown) =>
  Object.fromEntries(clients.split(' ').map((client) => [client, outcome]));
const LISTS = {
  ...all('openai_models anthropic_models anthropic_tokens', true),
  ...all('openai_model anthropic_model', 'ensemble'),
  mcp_tools: ['ask', 'evaluate', 'plan'],
};
const LANGUAGES = [
  {
    ...PYTHON,
    outcomes: {
      text: all(
        'openai_chat_streamed openai_responses openai_responses_streamed agents_sdk agents_sdk_streamed anthropic anthropic_streamed mcp',
        ANSWER,
      ),
      lists: LISTS,
    },
    structured: all('openai_responses openai_responses_streamed agents_sdk anthropic', VERDICT),
  },
  {
    ...JAVASCRIPT,
    outcomes: {
      text: {
        ...all('openai_chat_streamed openai_responses openai_responses_events openai_responses_streamed', ANSWER),
        ...all('ai_sdk ai_sdk_streamed agents_sdk agents_sdk_streamed anthropic anthropic_streamed mcp', ANSWER),
      },
      // Its default refers to what was answered before, as if that were stored; beside a call nothing of it is missed.
      turns: {
        ...all('ai_sdk_not_stored ai_sdk_loop', ANSWER),
        ai_sdk_as_it_is: expect.stringMatching(/^refused: .*store/),
      },
      lists: LISTS,
    },
    structured: all('openai_responses openai_responses_streamed ai_sdk agents_sdk anthropic', VERDICT),
  },
];

/** Answers, in a form where one is asked for; with tools it speaks and calls one first. */
const MODEL: Script = (call) => {
  const { purpose, outputSchema, prompt } = call;
  if (purpose !== 'answer') return PLAIN(call);
  if (prompt.tools && !prompt.turns.at(-1)?.toolResults)
    return { text: 'Let me look.', toolCalls: [{ id: 'call_1', name: 'look', arguments: '{}' }] };
  return { text: outputSchema ? JSON.stringify(VERDICT) : ANSWER };
};

describe.each(LANGUAGES)('$variable', ({ outcomes, structured, ...language }) => {
  testIn(language)(
    'clients of other protocols get what is documented',
    async () => {
      await using app = await startApp({ script: MODEL, env: { RATE_LIMIT_RPM: '100' } });
      const expected = { ...outcomes, 'of one model': structured, 'of an ensemble': structured };
      expect(await outputOf(language, 'wires', { ORIGIN: app.baseUrl, API_KEY: app.key })).toEqual(expected);
    },
    240_000,
  );
});
