import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** What npm starts works in the shell of Windows too. */

const ROOT = join(__dirname, '..', '..', '..');
const PACKAGES = ['.', 'functions', 'dashboard', 'tools', 'small-model'];

interface Package {
  readonly scripts?: Record<string, string>;
  readonly devDependencies?: Record<string, string>;
}

const PROGRAMS_OF: Record<string, string> = {
  biome: '@biomejs/biome',
  tsc: 'typescript',
  depcruise: 'dependency-cruiser',
  knip: 'knip',
  vite: 'vite',
};

function packageIn(folder: string): Package {
  return JSON.parse(readFileSync(join(ROOT, folder, 'package.json'), 'utf8'));
}

const COMMANDS = PACKAGES.flatMap((folder) =>
  Object.entries(packageIn(folder).scripts ?? {}).map(([name, command]) => ({ folder, name, command })),
);

describe('the scripts of the packages', () => {
  it.each(COMMANDS)('$folder: $name is made of programs that npm finds, and of plain words', ({ folder, command }) => {
    // In a folder with a file of that name, which the shell of Windows looks for there.
    const withoutExec = existsSync(join(ROOT, folder, 'exec.cmd')) ? command.replace(/^exec /, '') : command;
    for (const part of withoutExec.split(' && ')) {
      const [program = '', ...words] = part.split(' ');
      // Those of functions/ are found from everywhere: `scripts/run.mjs` puts them into the path.
      const found = { ...packageIn('functions').devDependencies, ...packageIn(folder).devDependencies };
      const isFound = ['node', 'npm'].includes(program) || (PROGRAMS_OF[program] ?? '') in found;
      expect({ program, isFound }).toEqual({ program, isFound: true });
      expect(words.filter((word) => !/^[\w@./:=-]+$/.test(word))).toEqual([]);
    }
  });
});

describe('npm, started by a script', () => {
  const module = pathToFileURL(join(ROOT, 'functions', 'scripts', 'npm-command.mjs')).href;
  const program = `const { npmCommand } = await import(process.argv[1]);
    console.log(JSON.stringify(npmCommand(['ci'], JSON.parse(process.argv[2]))));`;
  const commandOn = (machine: object): unknown => {
    const args = ['--input-type=module', '-e', program, module, JSON.stringify(machine)];
    return JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8' }));
  };
  const [node, npm] = ['/programs of all/node.exe', '/programs of all/node_modules/npm/bin/npm-cli.js'];

  it.each([
    ['on Windows the one that runs the script', '/npm/bin/npm-cli.js', '/npm/bin/npm-cli.js'],
    ['on Windows the one beside Node, where something else runs the script', '/yarn.js', npm],
    ['on Windows the one beside Node, where nothing is known', undefined, npm],
  ])('is %s, as a program of Node', (_, caller, expected) => {
    const env = { npm_execpath: caller };
    expect(commandOn({ platform: 'win32', execPath: node, env })).toEqual([node, expected, 'ci']);
  });

  it('is elsewhere the one on the path', () => {
    expect(commandOn({ platform: 'linux', execPath: node, env: { npm_execpath: npm } })).toEqual(['npm', 'ci']);
  });
});
