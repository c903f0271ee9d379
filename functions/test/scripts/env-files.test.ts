import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { during } from '../support/during';
import { ranProgram } from '../support/programs';
import { temporaryDirectory } from '../support/temporary-directory';

/** The settings of `.env.local` and `.env`, which every program reads alike. */

const FUNCTIONS = join(__dirname, '..', '..');
const SEED = [join(FUNCTIONS, 'lib', 'seed.js')];
const BUILDS = JSON.stringify(join(FUNCTIONS, 'scripts', 'builds.mjs'));
const PROGRAMS: readonly (readonly [name: string, args: readonly string[]])[] = [
  ['npm start and npm run emulators', ['-e', `import(${BUILDS}).then((m) => m.loadSettings())`]],
  ['the server', [join(FUNCTIONS, 'lib', 'server.js')]],
  ['the demo user', SEED],
  ['npm run admin', [join(FUNCTIONS, 'lib', 'admin.js'), 'keys', 'list', '--user', 'demo']],
  ['npm run doctor', [join(FUNCTIONS, 'lib', 'doctor.js')]],
];

describe('the dotenv files of a folder', () => {
  const directory = during('each', temporaryDirectory);

  const ran = async (args: readonly string[], env: Record<string, string> = {}): Promise<string> => {
    const settings = { PATH: process.env['PATH'], DATA_DIR: directory.path, ...env };
    return (await ranProgram(args, settings, directory.path)).output;
  };

  it.each(PROGRAMS)('are refused with file and line, and without the value: %s', async (_, args) => {
    writeFileSync(join(directory.path, '.env.local'), '# mine\nOPENAI_API_KEY=sk-…secret\n');
    const output = await ran(args);
    expect(output).toContain('functions/.env.local, line 2: OPENAI_API_KEY has a character that no key has: U+2026');
    expect(output).not.toMatch(/secret|\n {4}at /);
  });

  it('count before one another and behind the environment, whatever the editor put before the first setting', async () => {
    writeFileSync(join(directory.path, '.env.local'), '\ufeffOPENAI_API_KEY=sk-local\nDEFAULT_MODEL=gpt-local');
    const dotenv = 'OPENAI_API_KEY=sk-env\nDEFAULT_MODEL=gpt-env\nDEFAULT_PANEL=gpt-a,gpt-b\n';
    writeFileSync(join(directory.path, '.env'), Buffer.from(`\ufeff${dotenv}`, 'utf16le'));
    const { speakers } = JSON.parse(await ran(SEED, { DEFAULT_PANEL: 'gpt-c' }));
    const bills = ['OpenAI, OPENAI_API_KEY in functions/.env.local'];
    expect(speakers).toMatchObject({ arbiter: 'gpt-local', panel: ['gpt-c'], bills });
  });
});
