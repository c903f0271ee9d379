import { execFile } from 'node:child_process';
import { appendFileSync, cpSync, mkdirSync, readdirSync, statSync, symlinkSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { temporaryDirectory } from '../support/temporary-directory';

/** Building, by `npm run build` and by every script that needs lib/. */

const FUNCTIONS = join(__dirname, '..', '..');
const ran = promisify(execFile);

/** The built files with their times: another build writes all of them anew. */
function builtFiles(folder: string): string[] {
  const lib = join(folder, 'lib');
  return readdirSync(lib).map((name) => `${name} ${statSync(join(lib, name)).mtimeMs}`);
}

describe('npm run build', () => {
  let folder: string;
  let remove: () => Promise<void>;
  const build = () => ran(process.execPath, ['scripts/build.mjs'], { cwd: folder });
  const isBuiltAnew = async (): Promise<boolean> => {
    const before = builtFiles(folder);
    await build();
    return builtFiles(folder).some((file) => !before.includes(file));
  };
  beforeAll(async () => {
    const directory = await temporaryDirectory();
    remove = directory.remove;
    folder = join(directory.path, 'functions');
    const modules = join(folder, 'node_modules');
    mkdirSync(modules, { recursive: true });
    for (const part of ['package.json', 'package-lock.json', 'tsconfig.json', 'scripts', 'src']) {
      cpSync(join(FUNCTIONS, part), join(folder, part), { recursive: true });
    }
    for (const name of readdirSync(join(FUNCTIONS, 'node_modules'))) {
      if (!name.startsWith('.')) symlinkSync(join(FUNCTIONS, 'node_modules', name), join(modules, name));
    }
    await build();
  });
  afterAll(() => remove());

  it('leaves lib/ as it is when nothing has changed, or tests alone', async () => {
    appendFileSync(join(folder, 'src', 'config.test.ts'), '\n');
    expect(await isBuiltAnew()).toBe(false);
  });

  it('builds again when a source is another, though its time lies before that of the build', async () => {
    const file = join(folder, 'src', 'local.ts');
    appendFileSync(file, '\n');
    utimesSync(file, 1_000_000, 1_000_000);
    expect(await isBuiltAnew()).toBe(true);
  });
});
