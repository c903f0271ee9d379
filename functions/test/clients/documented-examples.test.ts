import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { transformSync } from 'esbuild';
import OpenAI from 'openai';
import { startApp } from '../support/app';
import { demoScript } from '../support/scripted-models';

/** The TypeScript and JavaScript of the documentation, run as it is written, against a service of its own. */

const ROOT = join(__dirname, '..', '..', '..');
const IMPORT = "import OpenAI from 'openai';\n";
const BASE_URL = 'http://127.0.0.1:8080';

function examplesIn(file: string): { file: string; line: number; code: string }[] {
  const text = readFileSync(join(ROOT, file), 'utf8');
  return [...text.matchAll(/^```[tj]s\n(.*?)^```$/gms)].map(({ index, 1: code = '' }) => ({
    file,
    line: text.slice(0, index).split('\n').length,
    code,
  }));
}

/** Runs a module that imports the client and nothing else; resolves with all it logged and wrote. */
async function run(code: string, baseUrl: string, key: string): Promise<unknown[]> {
  const { code: script } = transformSync(code.replace(IMPORT, '').replaceAll(BASE_URL, baseUrl), { loader: 'ts' });
  const logged: unknown[] = [];
  const AsyncFunction = (async () => undefined).constructor as new (
    ...source: string[]
  ) => (...values: unknown[]) => Promise<void>;
  const example = new AsyncFunction('OpenAI', 'process', 'console', script);
  const write = (text: string): void => {
    if (text !== '') logged.push(text);
  };
  await example(
    OpenAI,
    { env: { KEY: key }, stdout: { write } },
    { log: (...values: unknown[]) => logged.push(...values) },
  );
  return logged;
}

const EXAMPLES = [...examplesIn('README.md'), ...examplesIn('docs/clients.md')];

describe('the TypeScript and JavaScript examples of the documentation', () => {
  it('are found', () => {
    expect(EXAMPLES.map(({ file }) => file)).toEqual(['README.md', ...Array(3).fill('docs/clients.md')]);
  });

  it.each(EXAMPLES)('run as written: $file:$line', async ({ code }) => {
    await using app = await startApp({ script: demoScript });
    const logged = await run(code, app.baseUrl, app.key);
    expect(logged.filter((value) => typeof value === 'string').join('')).toContain('tomato');
    expect(logged).not.toContain(undefined);
    expect(logged.length).toBeGreaterThan(1);
  });
});
