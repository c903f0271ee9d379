import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryDirectory } from '../support/temporary-directory';

/** The settings of `.env.local` and `.env`, which every program reads alike. */

const FUNCTIONS = join(__dirname, '..', '..');
const START = [
  '-e',
  `import(${JSON.stringify(join(FUNCTIONS, 'scripts', 'load-settings.mjs'))}).then((m) => m.loadSettings())`,
];
const PROGRAMS: readonly (readonly [name: string, args: readonly string[]])[] = [
  ['npm start and npm run emulators', START],
  ['the server', [join(FUNCTIONS, 'lib', 'server.js')]],
  ['the demo user', [join(FUNCTIONS, 'lib', 'seed.js')]],
  ['npm run admin', [join(FUNCTIONS, 'lib', 'admin.js'), 'keys', 'list', '--user', 'demo']],
  ['npm run doctor', [join(FUNCTIONS, 'lib', 'doctor.js')]],
];

describe('the dotenv files of a folder', () => {
  let directory: Awaited<ReturnType<typeof temporaryDirectory>>;
  beforeEach(async () => {
    directory = await temporaryDirectory();
  });
  afterEach(() => directory.remove());

  function ran(args: readonly string[], env: Record<string, string> = {}): Promise<string> {
    const place = { cwd: directory.path, env: { PATH: process.env['PATH'], DATA_DIR: directory.path, ...env } };
    return new Promise((resolve) => {
      execFile(process.execPath, args, place, (_, stdout, stderr) => resolve(stdout + stderr));
    });
  }

  it.each(PROGRAMS)('are refused with file and line, and without the value: %s', async (_, args) => {
    writeFileSync(join(directory.path, '.env.local'), '# mine\nOPENAI_API_KEY=sk-…secret\n');
    const output = await ran(args, {});
    expect(output).toContain('functions/.env.local, line 2: OPENAI_API_KEY has a character that no key has: U+2026');
    expect(output).not.toMatch(/secret|\n {4}at /);
  });

  it('count before one another and behind the environment, whatever the editor put before the first setting', async () => {
    writeFileSync(join(directory.path, '.env.local'), '\ufeffOPENAI_API_KEY=sk-local\nDEFAULT_MODEL=gpt-local');
    const dotenv = 'OPENAI_API_KEY=sk-env\nDEFAULT_MODEL=gpt-env\nDEFAULT_PANEL=gpt-a,gpt-b\n';
    writeFileSync(join(directory.path, '.env'), Buffer.from(`\ufeff${dotenv}`, 'utf16le'));
    const { speakers } = JSON.parse(await ran([join(FUNCTIONS, 'lib', 'seed.js')], { DEFAULT_PANEL: 'gpt-c' }));
    expect(speakers).toMatchObject({
      arbiter: 'gpt-local',
      panel: ['gpt-c'],
      bills: ['OpenAI, OPENAI_API_KEY in functions/.env.local'],
    });
  });
});
