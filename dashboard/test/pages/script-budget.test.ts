import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { DIST } from '../support/embedded';

const ASSETS = join(DIST, 'assets');
const SOURCES = join(DIST, '../src');
const KILOBYTE = 1024;
const FIRST_LOAD_MAX_KB = 200;
/** The largest additions of single pages, with the programs that they load later. */
const PAGES_MAX_KB = [
  { page: 'models', programs: ['models-page'], max: 25 },
  { page: 'models, while router models are chosen', programs: ['models-page', 'add-router-models'], max: 28 },
  { page: 'usage', programs: ['usage-page', 'usage-chart'], max: 30 },
  { page: 'playground', programs: ['play-page'], max: 60 },
  { page: 'playground, while models are chosen', programs: ['play-page', 'choose-models'], max: 72 },
];

const html = readFileSync(join(DIST, 'index.html'), 'utf8');
const scripts = readdirSync(ASSETS).filter((name) => name.endsWith('.js'));

describe('the scripts of the dashboard', () => {
  const first = withImports(scripts.filter((name) => html.includes(name)));

  it('are at most 200 KB compressed before the first page is to be seen', () => {
    const boot = gzipSync(readFileSync(join(DIST, 'boot.js')), { level: 9 }).length / KILOBYTE;
    const ofKeys = withImports(scripts.filter((name) => name.startsWith('keys-page')));
    const loaded = boot + kilobytes(new Set([...first, ...ofKeys]));
    console.info(`First load: ${loaded.toFixed(1)} KB of scripts, compressed`);
    expect(first.size).toBeGreaterThan(0);
    expect(loaded).toBeLessThanOrEqual(FIRST_LOAD_MAX_KB);
  });

  it.each(PAGES_MAX_KB)('of the page $page add at most $max KB to that', ({ programs, max }) => {
    const own = programs.map((program) => scripts.filter((name) => name.startsWith(program)));
    expect(own.map(({ length }) => length)).toEqual(programs.map(() => 1));
    expect(kilobytes(withImports(own.flat()).difference(first))).toBeLessThanOrEqual(max);
  });

  it('that a page loads later are counted with that page', () => {
    const counted = PAGES_MAX_KB.flatMap(({ programs }) => programs);
    const later = scripts.filter((name) => /-(?:chart|picker|scores)-/.test(name));
    expect(later.filter((name) => !counted.some((program) => name.startsWith(program)))).toEqual([]);
  });

  it('run no text, and the document has neither inline scripts nor styles', () => {
    expect(html).not.toMatch(/\sstyle=|<style|\son\w+=|<script(?![^>]*\ssrc=)/);
    expect(scripts.filter((name) => /(?<![.\w])eval\(|new Function\(|document\.write\(/.test(textOf(name)))).toEqual(
      [],
    );
  });

  it('are made for production, not for development', () => {
    expect(scripts.filter((name) => textOf(name).includes('React DevTools'))).toEqual([]);
  });

  it('have no markup from text in what is our own', () => {
    const own = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' }).filter((name) => /\.tsx?$/.test(name));
    const text = (name: string): string => readFileSync(join(SOURCES, name), 'utf8');
    expect(own.filter((name) => /innerHTML|insertAdjacentHTML|outerHTML\s*=/i.test(text(name)))).toEqual([]);
    expect(own.length).toBeGreaterThan(30);
  });
});

/** These scripts and all that the browser loads with them. */
function withImports(names: readonly string[]): Set<string> {
  const all = new Set<string>(names);
  // A set is read on while it grows.
  for (const name of all) {
    for (const [, imported = ''] of textOf(name).matchAll(/(?:from|import)\s*["']\.\/([^"']+\.js)["']/g))
      all.add(imported);
  }
  return all;
}

function textOf(name: string): string {
  return readFileSync(join(ASSETS, name), 'utf8');
}

function kilobytes(names: ReadonlySet<string>): number {
  const sizes = [...names].map((name) => gzipSync(readFileSync(join(ASSETS, name)), { level: 9 }).length);
  return sizes.reduce((sum, size) => sum + size, 0) / KILOBYTE;
}
