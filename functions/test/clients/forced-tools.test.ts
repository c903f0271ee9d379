import OpenAI from 'openai';
import { zodFunction } from 'openai/helpers/zod';
import * as z from 'zod';
import { type App, QUESTION, startApp } from '../support/app';
import { fakeClock } from '../support/fake-clock';
import { PLAIN, type Script, scriptedModels } from '../support/scripted-models';
import { JAVASCRIPT, outputOf, PYTHON, testIn } from './language-scripts';

/** Libraries that ask for an object by a tool that has to be called, as they do by themselves, of an ensemble. */

const VERDICT = { fruit: true, why: 'It has seeds.' };
const DEFAULT_PANEL = 3;

const all = (libraries: string) => Object.fromEntries(libraries.split(' ').map((library) => [library, VERDICT]));
const LANGUAGES = [
  {
    ...PYTHON,
    script: 'forced_tools',
    outcomes: {
      ...all('openai_create openai_parse openai_stream instructor instructor_partial pydantic_ai pydantic_ai_streamed'),
      ...all('instructor_corrected pydantic_ai_corrected'),
      ...all('langchain_any langchain_any_streamed langchain_function_calling langchain_function_calling_streamed'),
      ...all('agents_sdk_required'),
    },
  },
  {
    ...JAVASCRIPT,
    script: 'forced-tools',
    outcomes: {
      ...all('ai_sdk_openai_required ai_sdk_openai_required_streamed ai_sdk_object'),
      ...all('ai_sdk_compatible_required ai_sdk_compatible_named_streamed'),
      ...all('langchain_any langchain_any_streamed langchain_function_calling langchain_function_calling_streamed'),
    },
  },
];

/** Gives the object, also by a call where it has tools; of cucumbers one out of form, until it has seen that it is. */
const MODEL: Script = (call) => {
  const { purpose, prompt } = call;
  const json = JSON.stringify(VERDICT);
  const [tool] = prompt.tools?.tools ?? [];
  if (tool) return { text: '', toolCalls: [{ id: 'call_1', name: tool.name, arguments: json }] };
  if (purpose !== 'answer') return PLAIN(call);
  return { text: prompt.turns.some(({ text }) => text.includes('cucumber')) ? '{"fruit": "perhaps"}' : json };
};

/** The service, whose provider enforces schemas, so that arguments are streamed piece by piece. */
async function started(): Promise<App & { drafts(): number }> {
  const clock = fakeClock();
  const models = scriptedModels(clock, MODEL);
  const provider = { ...models, holds: () => true };
  const app = await startApp({ clock, provider, env: { RATE_LIMIT_RPM: '100' } });
  return { ...app, drafts: () => models.calls.filter(({ purpose }) => purpose === 'draft').length };
}

describe.each(LANGUAGES)('$variable', ({ script, outcomes, ...language }) => {
  testIn(language)(
    'libraries get the object, each from one answer of a panel',
    async () => {
      await using app = await started();
      const place = { BASE_URL: `${app.baseUrl}/v1`, API_KEY: app.key };
      expect(await outputOf(language, script, place)).toEqual(outcomes);
      expect(app.drafts()).toBeGreaterThanOrEqual(DEFAULT_PANEL * Object.keys(outcomes).length);
    },
    240_000,
  );
});

describe('openai for Node', () => {
  const tools = [zodFunction({ name: 'verdict', parameters: z.object({ fruit: z.boolean(), why: z.string() }) })];
  const messages: OpenAI.ChatCompletionMessageParam[] = [{ role: 'user', content: QUESTION }];
  const tool_choice = { type: 'function' as const, function: { name: 'verdict' } };
  const asked = { model: 'ensemble', messages, tools, tool_choice };

  it.each<[string, (client: OpenAI) => Promise<unknown>]>([
    ['create', async (client) => argumentsOf(await client.chat.completions.create(asked))],
    [
      'required',
      async (client) => argumentsOf(await client.chat.completions.create({ ...asked, tool_choice: 'required' })),
    ],
    [
      'parse',
      async (client) => {
        const [choice] = (await client.chat.completions.parse(asked)).choices;
        const [call] = choice?.message.tool_calls ?? [];
        return call?.type === 'function' && call.function.parsed_arguments;
      },
    ],
    ['stream', async (client) => argumentsOf(await client.chat.completions.stream(asked).finalChatCompletion())],
  ])('%s gets the object', async (_, ask) => {
    await using app = await started();
    expect(await ask(new OpenAI({ baseURL: `${app.baseUrl}/v1`, apiKey: app.key, maxRetries: 0 }))).toEqual(VERDICT);
  });
});

function argumentsOf({ choices: [choice] }: OpenAI.ChatCompletion): unknown {
  const [call] = choice?.message.tool_calls ?? [];
  return call?.type === 'function' ? JSON.parse(call.function.arguments) : undefined;
}
