import { execFile } from 'node:child_process';
import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { App } from '../support/app';
import { temporaryDirectory } from '../support/temporary-directory';

const { CLIENTS_PYTHON: python, CLIENTS_JAVASCRIPT: javascript, CI, PATH } = process.env;

/** Libraries of a language, installed apart: what has them is named in the environment (see the README). */
export interface Language {
  readonly name: string;
  /** What is set where its packages are installed. */
  readonly variable: string;
  readonly installed: string | undefined;
  /** Starts a script of this folder, named without its ending. */
  readonly command: (installed: string, script: string) => Promise<readonly [file: string, script: string]>;
}

export const PYTHON: Language = {
  name: 'Python',
  variable: 'CLIENTS_PYTHON',
  installed: python,
  command: async (interpreter, script) => [interpreter, join(__dirname, 'python', `${script.replaceAll('-', '_')}.py`)],
};

export const JAVASCRIPT: Language = {
  name: 'JavaScript',
  variable: 'CLIENTS_JAVASCRIPT',
  installed: javascript,
  command: async (directory, script) => {
    // Packages are found from where a script stands.
    const copy = join(directory, `${script}.mjs`);
    await copyFile(join(__dirname, 'javascript', `${script}.mjs`), copy);
    return [process.execPath, copy];
  },
};

/** `it`, or `it.skip` where the libraries are not installed; with CI=true nothing is skipped. */
export function testWith({ installed }: Language): jest.It {
  return installed === undefined && CI !== 'true' ? it.skip : it;
}

/** The lines of JSON that a script prints which asks the app. */
export async function outcomesOf(language: Language, script: string, app: App): Promise<unknown[]> {
  if (language.installed === undefined) throw new Error(`${language.variable} is not set`);
  const [file, path] = await language.command(language.installed, script);
  // `llm` keeps what it is used for there.
  const directory = await temporaryDirectory();
  const env = { PATH, BASE_URL: `${app.baseUrl}/v1`, API_KEY: app.key, LLM_USER_PATH: directory.path };
  const { stdout } = await promisify(execFile)(file, [path], { env }).finally(directory.remove);
  return stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
}
