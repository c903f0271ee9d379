import { spawn } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { during } from '../support/during';
import { temporaryDirectory } from '../support/temporary-directory';

/** `npm start` of a copy whose packages are stand-ins of this machine, so that npm installs them without a network. */

const ROOT = join(__dirname, '..', '..', '..');
const COPIED = ['package.json', '.npmrc', 'scripts', 'functions/scripts'];
const PACKAGES = {
  functions: ['node', 'esbuild', '@swc/core', 'knip'],
  dashboard: ['vite', 'sharp'],
};
/** Loads what npm leaves out on a Node that does not suit it. */
const MAIN = `import { existsSync } from 'node:fs';
if (!existsSync(new URL('./binding', import.meta.url))) throw new Error('Cannot find native binding.');`;

// Each is two or three installs.
jest.setTimeout(120_000);

interface Ended {
  readonly code: number | null;
  readonly output: string;
}

let root: string;
const directory = during('each', temporaryDirectory);
beforeEach(() => {
  root = join(directory.path, 'a copy of it, é');
  for (const part of COPIED) cpSync(join(ROOT, part), join(root, part), { recursive: true });
  for (const [folder, names] of Object.entries(PACKAGES)) writePackage(folder, names);
  // The Node that comes with functions/, which tells what it was asked for.
  const node = `#!/bin/sh\nprintf '%s\\n' "$*" >> "${root}/asked"\nexec "${process.execPath}" "$@"\n`;
  write('functions/packages/node/bin/node', node, 0o755);
  write('functions/start.mjs', "console.log('started');\n");
});

function write(path: string, text: string | object, mode = 0o644): void {
  const file = join(root, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, typeof text === 'string' ? text : JSON.stringify(text), { mode });
}

/** A package of this repository that depends on others in its own folder. */
function writePackage(folder: string, names: readonly string[]): void {
  const [dev = '', ...optional] = names;
  const on = (name: string) => [name, `file:packages/${name}`];
  const description = {
    name: folder,
    version: '1.0.0',
    scripts: { start: 'node start.mjs' },
    engines: { node: '>=999' },
    devDependencies: Object.fromEntries([on(dev)]),
    optionalDependencies: Object.fromEntries(optional.map(on)),
  };
  const locked = names.flatMap((name, index) => {
    const kind = index === 0 ? { dev: true } : { optional: true };
    const link = { resolved: `packages/${name}`, link: true, ...kind };
    return [
      [`node_modules/${name}`, link],
      [`packages/${name}`, { version: '1.0.0', ...kind }],
    ];
  });
  write(`${folder}/package.json`, description);
  write(`${folder}/package-lock.json`, {
    ...{ name: folder, version: '1.0.0', lockfileVersion: 3, requires: true },
    packages: { '': description, ...Object.fromEntries(locked) },
  });
  for (const name of names) {
    const bin = name === 'node' ? { bin: { node: 'bin/node' } } : {};
    write(`${folder}/packages/${name}/package.json`, {
      name,
      version: '1.0.0',
      type: 'module',
      main: 'main.js',
      ...bin,
    });
    write(`${folder}/packages/${name}/main.js`, MAIN);
    write(`${folder}/packages/${name}/binding`, '');
  }
}

const binding = () => join(root, 'dashboard', 'packages', 'vite', 'binding');
const marker = (folder: string) => join(root, folder, 'node_modules', '.installed');

/** The words that npm got from `npm start`, on the bundled Node: `ci`, or `install`. */
function asked(): string[] {
  const lines = existsSync(join(root, 'asked')) ? readFileSync(join(root, 'asked'), 'utf8').split('\n') : [];
  rmSync(join(root, 'asked'), { force: true });
  return lines.flatMap((line) => /npm\S* (ci|install) /.exec(line)?.[1] ?? []);
}

/** Started by npm, or by Node alone. */
function started(program = ['npm', 'start'], settings: NodeJS.ProcessEnv = {}): Promise<Ended> {
  const { PATH, HOME } = process.env;
  const env = {
    PATH: `${dirname(process.execPath)}:${PATH}`,
    HOME,
    npm_config_offline: 'true',
    npm_config_update_notifier: 'false',
    ...settings,
  };
  const [command = '', ...words] = program;
  const child = spawn(command, words, { cwd: root, env });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (text) => {
      output += text;
    });
  }
  return new Promise((resolve) => child.once('close', (code) => resolve({ code, output })));
}

describe('the first npm start', () => {
  it.each([
    ['npm', ['npm', 'start']],
    ['Node alone', ['node', 'scripts/run.mjs', 'start']],
  ])('begun by %s, installs all but the bundled Node on that Node, and once', async (_, program) => {
    expect(await started(program)).toEqual({ code: 0, output: expect.stringContaining('started') });
    expect(asked()).toEqual(['install', 'ci']);
    expect((await started(program)).output).not.toContain('Installing');
    expect(asked()).toEqual([]);
  });

  it('marks nothing that cannot be loaded and says what, so that the next one installs it', async () => {
    rmSync(binding());
    const { code, output } = await started();
    expect({ code, output }).toEqual({
      code: 1,
      output: expect.stringMatching(/in .*dashboard cannot be loaded: Error: Cannot find native binding\.\n/),
    });
    expect([existsSync(marker('functions')), existsSync(marker('dashboard'))]).toEqual([true, false]);
    writeFileSync(binding(), '');
    asked();
    expect((await started()).code).toBe(0);
    expect(asked()).toEqual(['ci']);
  });

  it('says how the bundled Node comes where npm may run no install scripts', async () => {
    rmSync(join(root, 'functions/packages/node/bin/node'));
    const { code, output } = await started();
    expect({ code, output }).toEqual({
      code: 1,
      output: expect.stringContaining('set npm_config_ignore_scripts=false'),
    });
    expect(existsSync(marker('functions'))).toBe(false);
  });
});

describe('a mark of an earlier version, or from another machine', () => {
  beforeEach(async () => {
    await started();
    asked();
    const [lock = ''] = readFileSync(marker('dashboard'), 'utf8').split(' ');
    writeFileSync(marker('dashboard'), lock);
  });

  it('does not count where it cannot: it is installed again', async () => {
    rmSync(binding());
    expect((await started()).code).toBe(1);
    expect(asked()).toEqual(['ci']);
  });
});
