import { execFile } from 'node:child_process';
import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { startApp } from '../support/app';
import { PLAIN } from '../support/scripted-models';

/** Other libraries, the real packages: what has them installed is named in the environment (see the README). */

const VERDICT = { fruit: true, why: 'It has seeds.' };
const { CLIENTS_PYTHON: python, CLIENTS_JAVASCRIPT: javascript, CI, PATH } = process.env;

interface Language {
  readonly name: string;
  /** What is set where its packages are installed. */
  readonly installed: string | undefined;
  readonly variable: string;
  readonly libraries: readonly string[];
  /** What starts its script. */
  command(installed: string): Promise<readonly [file: string, script: string]>;
}

const LANGUAGES: readonly Language[] = [
  {
    name: 'Python',
    installed: python,
    variable: 'CLIENTS_PYTHON',
    libraries: ['openai_parse', 'openai_stream', 'langchain', 'instructor_json_schema', 'pydantic_ai_native'],
    command: async (interpreter) => [interpreter, join(__dirname, 'python', 'structured_output.py')],
  },
  {
    name: 'JavaScript',
    installed: javascript,
    variable: 'CLIENTS_JAVASCRIPT',
    libraries: ['langchain', 'ai_sdk'],
    command: async (directory) => {
      // Packages are found from where a script stands.
      const script = join(directory, 'structured-output.mjs');
      await copyFile(join(__dirname, 'javascript', 'structured-output.mjs'), script);
      return [process.execPath, script];
    },
  },
];

describe.each(LANGUAGES)('$name', ({ installed, variable, libraries, command }) => {
  const told = `libraries get what their schema says, from one model and from an ensemble (${variable})`;
  const test = installed === undefined && CI !== 'true' ? it.skip : it;
  test(told, async () => {
    if (installed === undefined) throw new Error(`${variable} is not set`);
    await using app = await startApp({
      script: (call) => (call.purpose === 'answer' ? { text: JSON.stringify(VERDICT) } : PLAIN(call)),
    });
    const [file, script] = await command(installed);
    const env = { PATH, BASE_URL: `${app.baseUrl}/v1`, API_KEY: app.key };
    const { stdout } = await promisify(execFile)(file, [script], { env });
    const lines = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    const expected = ['one model', 'an ensemble'].flatMap((of) =>
      libraries.map((library) => ({ of, library, outcome: VERDICT })),
    );
    expect(lines).toEqual(expected);
    // The schema itself reached the author of each of these answers.
    const answers = app.models.calls.filter(({ purpose }) => purpose === 'answer');
    expect(answers.map(({ outputSchema }) => outputSchema?.schema !== undefined)).toEqual(expected.map(() => true));
  }, 240_000);
});
