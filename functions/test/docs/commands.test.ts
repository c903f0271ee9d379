import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The npm commands that documents name exist, in the folder where they are to be run. */

const ROOT = join(__dirname, '..', '..', '..');
const PAGES = ['README.md', 'CONTRIBUTING.md', 'SECURITY.md', ...markdownIn('docs')];

function markdownIn(folder: string): string[] {
  const names = readdirSync(join(ROOT, folder)).filter((name) => name.endsWith('.md'));
  return names.map((name) => `${folder}/${name}`);
}

function scriptsOf(folder: string): Set<string> {
  const { scripts } = JSON.parse(readFileSync(join(ROOT, folder, 'package.json'), 'utf8')) as { scripts: object };
  return new Set(Object.keys(scripts));
}

const SCRIPTS = { root: scriptsOf('.'), functions: scriptsOf('functions') };

interface Command {
  readonly page: string;
  readonly script: string;
  readonly folder: keyof typeof SCRIPTS;
}

/** `npm start`, `npm test` and `npm run …`; those of `functions/` where a block goes there or a paragraph says so. */
function commandsOf(page: string): Command[] {
  const text = readFileSync(join(ROOT, page), 'utf8').replaceAll(/\\\n\s*/g, ' ');
  const parts = text.split(/^ *```/m).flatMap((part, index) => (index % 2 === 1 ? [part] : part.split(/\n\s*\n/)));
  return parts.flatMap((part) => {
    const folder = /^ *cd functions\b|\bIn `functions\/`/m.test(part) ? ('functions' as const) : ('root' as const);
    const named = part.matchAll(/\bnpm (?:--?[\w-]+ )*(?:(start|test)\b|run (?:--?[\w-]+ )*([a-z][\w:-]*))/g);
    return [...named].map(([, plain, script]) => ({ page, script: plain ?? script ?? '', folder }));
  });
}

const COMMANDS = PAGES.flatMap(commandsOf);

describe('the npm commands that documents name', () => {
  it('are found', () => {
    const names = COMMANDS.map(({ script }) => script);
    expect(names).toEqual(
      expect.arrayContaining(['start', 'test', 'check', 'admin', 'deploy', 'emulators', 'firebase']),
    );
  });

  it('exist where they are to be run', () => {
    expect(COMMANDS.filter(({ script, folder }) => !SCRIPTS[folder].has(script))).toEqual([]);
  });

  it('are all those of the root folder: none is left without a word', () => {
    const named = new Set(COMMANDS.map(({ script }) => script));
    expect([...SCRIPTS.root].filter((script) => !named.has(script))).toEqual([]);
  });
});
