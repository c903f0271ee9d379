import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** What docs/clients.md says was run is what is run: by the tests, or by `npm run clients`. */

const ROOT = join(__dirname, '..', '..', '..');
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');

/** Beside those of functions/ itself, whose `openai` is the client of the tests. */
const FOLDERS = [
  'functions/test/clients/javascript',
  'functions/test/clients/python',
  ...namesOfClients().map(folderOf),
];

function namesOfClients(): string[] {
  const entries = readdirSync(join(ROOT, 'clients'), { withFileTypes: true });
  return entries.filter((entry) => entry.isDirectory() && !entry.name.startsWith('__')).map(({ name }) => name);
}

function folderOf(name: string): string {
  return `clients/${name}`;
}

/** `name version` of everything that a folder holds to one version. */
function pinnedIn(folder: string): string[] {
  if (!existsSync(join(ROOT, folder, 'package.json')))
    return read(`${folder}/requirements.txt`).split('==').join(' ').split('\n');
  const { dependencies = {} } = JSON.parse(read(`${folder}/package.json`)) as { dependencies?: Record<string, string> };
  return Object.entries(dependencies).map(([name, version]) => `${name} ${version}`);
}

it('every version in docs/clients.md is one that is run', () => {
  const { devDependencies } = JSON.parse(read('functions/package.json')) as { devDependencies: Record<string, string> };
  const known = new Set([...FOLDERS.flatMap(pinnedIn), `openai ${devDependencies['openai']}`]);
  const said = [...read('docs/clients.md').matchAll(/`([@\w./-]+)` (\d+\.\d+(?:\.\d+)?)/g)].map(
    ([, name, version]) => `${name} ${version}`,
  );
  expect(said.length).toBeGreaterThan(20);
  expect(said.filter((one) => !known.has(one))).toEqual([]);
});

it('every client of clients/ has a script, an entry in the list of npm run clients and a row in both tables', () => {
  const listed = [...read('clients/clients.mjs').matchAll(/^ {2}'?([\w-]+)'?: \{/gm)].map(([, name]) => name);
  expect(listed).toEqual(namesOfClients());
  for (const name of namesOfClients()) {
    const python = existsSync(join(ROOT, folderOf(name), 'requirements.txt'));
    expect(existsSync(join(ROOT, folderOf(name), python ? 'try.py' : 'try.mjs'))).toBe(true);
    expect(read('clients/README.md')).toContain(`| \`${name}\` |`);
    expect(read('docs/clients.md')).toContain(`npm run clients -- ${name}`);
  }
});

it.each(['', 'open-webui nobody'])('npm run clients -- %s names those there are, and installs nothing', (words) => {
  const options = { encoding: 'utf8', stdio: 'pipe' } as const;
  const run = () =>
    execFileSync(process.execPath, [join(ROOT, 'clients', 'run.mjs'), ...words.split(' ').filter(Boolean)], options);
  expect(run).toThrow(
    /Names: agents-sdk-js, cline, continue, librechat, litellm, llama-index, n8n, open-webui, promptfoo/,
  );
});
