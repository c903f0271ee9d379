import { execFile } from 'node:child_process';
import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import OpenAI from 'openai';
import { startApp } from '../support/app';
import type { Script } from '../support/scripted-models';
import { temporaryDirectory } from '../support/temporary-directory';

/** Agents as they are written for OpenAI: with the base URL changed each of them uses two tools and answers. */

const { CLIENTS_PYTHON: python, CLIENTS_JAVASCRIPT: javascript, CI, PATH } = process.env;
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

async function outcomesOf(file: string, script: string): Promise<unknown[]> {
  await using app = await startApp({ script: MODEL });
  // `llm` keeps what it is used for there.
  const directory = await temporaryDirectory();
  const env = { PATH, BASE_URL: `${app.baseUrl}/v1`, API_KEY: app.key, LLM_USER_PATH: directory.path };
  const { stdout } = await promisify(execFile)(file, [script], { env }).finally(directory.remove);
  return stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
}

function answersOf(...libraries: readonly string[]): object[] {
  return libraries.map((library) => ({ library, outcome: ANSWER }));
}

const testWith = (installed: string | undefined) => (installed === undefined && CI !== 'true' ? it.skip : it);

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

  testWith(python)(
    'Python libraries (CLIENTS_PYTHON)',
    async () => {
      if (python === undefined) throw new Error('CLIENTS_PYTHON is not set');
      expect(await outcomesOf(python, join(__dirname, 'python', 'tool_loops.py'))).toEqual(
        answersOf(
          ...['openai_loop', 'langchain', 'langchain_streamed', 'pydantic_ai', 'pydantic_ai_streamed'],
          ...['agents_sdk', 'agents_sdk_streamed', 'llm', 'llm_streamed'],
        ),
      );
    },
    240_000,
  );

  testWith(javascript)(
    'JavaScript libraries (CLIENTS_JAVASCRIPT)',
    async () => {
      if (javascript === undefined) throw new Error('CLIENTS_JAVASCRIPT is not set');
      // Packages are found from where a script stands.
      const script = join(javascript, 'tool-loops.mjs');
      await copyFile(join(__dirname, 'javascript', 'tool-loops.mjs'), script);
      expect(await outcomesOf(process.execPath, script)).toEqual(
        answersOf('ai_sdk_generate', 'ai_sdk_stream', 'langchain'),
      );
    },
    240_000,
  );
});
