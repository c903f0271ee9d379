import { execFile } from 'node:child_process';
import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { temporaryDirectory } from '../support/temporary-directory';

const { CLIENTS_PYTHON: python, CLIENTS_JAVASCRIPT: javascript, CI, PATH } = process.env;

/** A language whose libraries are installed apart from the service. */
export interface Language {
  readonly variable: string;
  /** The interpreter of Python, or the folder of the packages. */
  readonly installed: string | undefined;
  /** The program and the script that it runs. */
  command(installed: string, script: string): Promise<readonly [string, string]>;
}

export const PYTHON: Language = {
  variable: 'CLIENTS_PYTHON',
  installed: python,
  command: async (interpreter, script) => [interpreter, join(__dirname, 'python', `${script}.py`)],
};

export const JAVASCRIPT: Language = {
  variable: 'CLIENTS_JAVASCRIPT',
  installed: javascript,
  command: async (directory, script) => {
    // Packages are found from where a script stands.
    const copy = join(directory, `${script}.mjs`);
    await copyFile(join(__dirname, 'javascript', `${script}.mjs`), copy);
    return [process.execPath, copy];
  },
};

/** `it`, skipped where the libraries are not installed; with CI=true nothing is skipped. */
export function testIn({ installed }: Language): typeof it {
  return installed === undefined && CI !== 'true' ? it.skip : it;
}

/** Output of a script, as JSON: the last line, since some libraries print of themselves. */
export async function outputOf<Output>(
  { installed, variable, command }: Language,
  script: string,
  settings: Readonly<Record<string, string>>,
): Promise<Output> {
  if (installed === undefined) throw new Error(`${variable} is not set`);
  // `llm` keeps what it is used for there.
  const directory = await temporaryDirectory();
  const env = { PATH, ...settings, LLM_USER_PATH: directory.path };
  const [program, file] = await command(installed, script);
  const { stdout } = await promisify(execFile)(program, [file], { env }).finally(directory.remove);
  return JSON.parse(stdout.trim().split('\n').at(-1) ?? '');
}
