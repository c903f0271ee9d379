import { execFile } from 'node:child_process';
import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type App, startApp } from '../support/app';
import { PLAIN, type Script } from '../support/scripted-models';
import { temporaryDirectory } from '../support/temporary-directory';

/** Programs as people write them with libraries for OpenAI: an ensemble's answer, one in a form, and a loop of two tools. */

const ANSWER = 'A tomato is a fruit.';
const VERDICT = { fruit: true, why: 'It has seeds.' };
const WEATHER = 'There is rain in Bergen.';
/** Without `.chat` the AI SDK asks the Responses API. */
const REFUSED = expect.stringMatching(/^refused: Invalid input string: .* use POST \/v1\/chat\/completions/);
const { CLIENTS_PYTHON: python, CLIENTS_JAVASCRIPT: javascript, CI, PATH } = process.env;

const all = (libraries: string, outcome: unknown) =>
  Object.fromEntries(libraries.split(' ').map((library) => [library, outcome]));
const LANGUAGES = [
  {
    variable: 'CLIENTS_PYTHON',
    installed: python,
    command: async (interpreter: string) => [interpreter, join(__dirname, 'python', 'libraries.py')] as const,
    chat: all('openai openai_streamed langchain langchain_streamed pydantic_ai agents_sdk llm llm_streamed', ANSWER),
    structured: all('openai_parse openai_stream langchain instructor_json_schema pydantic_ai_native', VERDICT),
    tools: all(
      'openai_loop langchain langchain_streamed pydantic_ai pydantic_ai_streamed agents_sdk_streamed llm llm_streamed',
      WEATHER,
    ),
  },
  {
    variable: 'CLIENTS_JAVASCRIPT',
    installed: javascript,
    command: async (directory: string) => {
      // Packages are found from where a script stands.
      const copy = join(directory, 'libraries.mjs');
      await copyFile(join(__dirname, 'javascript', 'libraries.mjs'), copy);
      return [process.execPath, copy] as const;
    },
    chat: {
      ...all('ai_sdk_openai ai_sdk_openai_streamed ai_sdk_compatible ai_sdk_compatible_streamed', ANSWER),
      ...all('langchain langchain_streamed', ANSWER),
      ai_sdk_openai_as_it_is: REFUSED,
    },
    structured: all('langchain ai_sdk ai_sdk_openai_output', VERDICT),
    tools: all('ai_sdk_generate ai_sdk_stream langchain', WEATHER),
  },
];

/** Answers, in a form where one is asked for; with tools asks for the town, then for its weather, then answers. */
const MODEL: Script = (call) => {
  const { purpose, outputSchema, prompt } = call;
  if (prompt.tools) {
    const [town, weather] = prompt.turns.flatMap(({ toolResults = [] }) => toolResults).map(({ text }) => text);
    if (town === undefined) return { text: '', toolCalls: [{ id: 'call_1', name: 'where_am_i', arguments: '{}' }] };
    if (weather !== undefined) return { text: `There is ${weather}.` };
    return { text: '', toolCalls: [{ id: 'call_2', name: 'weather', arguments: JSON.stringify({ town }) }] };
  }
  if (purpose !== 'answer') return PLAIN(call);
  return { text: outputSchema ? JSON.stringify(VERDICT) : ANSWER };
};

async function outcomesFrom([file, script]: readonly [string, string], app: App): Promise<object> {
  // `llm` keeps what it is used for there.
  const directory = await temporaryDirectory();
  const env = { PATH, BASE_URL: `${app.baseUrl}/v1`, API_KEY: app.key, LLM_USER_PATH: directory.path };
  const { stdout } = await promisify(execFile)(file, [script], { env }).finally(directory.remove);
  return JSON.parse(stdout);
}

describe.each(LANGUAGES)('$variable', ({ installed, variable, command, chat, structured, tools }) => {
  // With CI=true nothing is skipped.
  const test = installed === undefined && CI !== 'true' ? it.skip : it;

  test('libraries get what is documented', async () => {
    if (installed === undefined) throw new Error(`${variable} is not set`);
    await using app = await startApp({ script: MODEL, env: { RATE_LIMIT_RPM: '100' } });
    const expected = { chat, 'of one model': structured, 'of an ensemble': structured, tools };
    expect(await outcomesFrom(await command(installed), app)).toEqual(expected);
    // A panel drafted before each answer of an ensemble.
    const answers = Object.values(chat).filter((outcome) => outcome === ANSWER).length;
    const drafts = app.models.calls.filter(({ purpose }) => purpose === 'draft').length;
    expect(drafts).toBeGreaterThanOrEqual(2 * answers);
    const schemas = app.models.calls.filter(
      ({ purpose, outputSchema }) => purpose === 'answer' && outputSchema?.schema,
    );
    expect(schemas.length).toBeGreaterThanOrEqual(2 * Object.keys(structured).length);
  }, 240_000);
});
