import OpenAI from 'openai';
import { startApp } from '../support/app';
import { startOddUpstream } from '../support/odd-upstream';
import type { Script } from '../support/scripted-models';
import { JAVASCRIPT, outcomesOf, PYTHON, testWith } from './libraries';

/** Agents as they are written for OpenAI: with the base URL changed each of them uses two tools and answers. */

const QUESTION = 'What is the weather where I am?';
const ANSWER = 'There is rain in Bergen.';

/** Asks where the user is, then for the weather there, then answers; each from what the tool before has returned. */
const MODEL: Script = ({ prompt: { turns, tools } }) => {
  const names = tools?.tools.map(({ name }) => name);
  if (!names?.includes('where_am_i') || !names.includes('weather')) return { text: 'I was offered no tools.' };
  const results = turns.flatMap(({ toolResults = [] }) => toolResults);
  const [town, weather] = results.map(({ text }) => text);
  if (town === undefined) return { text: '', toolCalls: [{ id: 'call_1', name: 'where_am_i', arguments: '{}' }] };
  if (weather === undefined)
    return { text: '', toolCalls: [{ id: 'call_2', name: 'weather', arguments: JSON.stringify({ town }) }] };
  return { text: `There is ${weather}.` };
};

/** The same on a server of which no reply is as documented, under the id that the libraries ask for. */
async function startOddApp() {
  const upstream = await startOddUpstream(({ messages }) => {
    const [town, weather] = messages.filter(({ role }) => role === 'tool').map(({ content }) => content);
    if (town === undefined) return { calls: { name: 'where_am_i', arguments: {} } };
    return weather === undefined
      ? { calls: { name: 'weather', arguments: { town } } }
      : { text: `There is ${weather}.` };
  });
  const app = await startApp({
    providers: {},
    env: {
      OPENAI_BASE_URL: `${upstream.url}/v1`,
      MODEL_OVERRIDES: JSON.stringify({ models: [{ id: 'demo-ada', provider: 'openai' }] }),
    },
  });
  return { app, close: () => Promise.all([app.close(), upstream.close()]) };
}

const LOOPS = [
  {
    language: PYTHON,
    libraries: [
      ...['openai_loop', 'langchain', 'langchain_streamed', 'pydantic_ai', 'pydantic_ai_streamed'],
      ...['agents_sdk', 'agents_sdk_streamed', 'llm', 'llm_streamed'],
    ],
  },
  { language: JAVASCRIPT, libraries: ['ai_sdk_generate', 'ai_sdk_stream', 'langchain'] },
];

function answersOf(...libraries: readonly string[]): object[] {
  return libraries.map((library) => ({ library, outcome: ANSWER }));
}

describe('a loop of two tools', () => {
  it.each([false, true])('openai for Node: runTools, stream %s', async (stream) => {
    await using app = await startApp({ script: MODEL });
    const client = new OpenAI({ baseURL: `${app.baseUrl}/v1`, apiKey: app.key, maxRetries: 0 });
    const request = {
      model: 'demo-ada',
      messages: [{ role: 'user' as const, content: QUESTION }],
      tools: [
        {
          type: 'function' as const,
          function: { name: 'where_am_i', description: '', parameters: {}, function: () => 'Bergen' },
        },
        {
          type: 'function' as const,
          function: {
            name: 'weather',
            description: '',
            parameters: {},
            parse: JSON.parse,
            function: ({ town }: { town: string }) => `rain in ${town}`,
          },
        },
      ],
    };
    const runner = stream
      ? client.chat.completions.runTools({ ...request, stream })
      : client.chat.completions.runTools({ ...request, stream });
    expect(await runner.finalContent()).toBe(ANSWER);
  });

  describe.each(LOOPS)('$language.name', ({ language, libraries }) => {
    testWith(language)(
      `libraries (${language.variable})`,
      async () => {
        await using app = await startApp({ script: MODEL });
        expect(await outcomesOf(language, 'tool-loops', app)).toEqual(answersOf(...libraries));
      },
      240_000,
    );

    testWith(language)(
      `libraries, where no server replies as documented (${language.variable})`,
      async () => {
        const { app, close } = await startOddApp();
        expect(await outcomesOf(language, 'tool-loops', app).finally(close)).toEqual(answersOf(...libraries));
      },
      240_000,
    );
  });
});
