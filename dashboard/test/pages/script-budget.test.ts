import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describeInBrowser } from '../support/browser';
import { DIST, startDashboard } from '../support/embedded';

const ASSETS = join(DIST, 'assets');
const SOURCES = join(DIST, '../src');
const KILOBYTE = 1024;
/** The largest sums that single pages load at once, of everything, with the programs that they load later. */
const PAGES_MAX_KB = [
  { page: 'playground', programs: ['play-page'], max: 180 },
  { page: 'playground, while models are chosen', programs: ['play-page', 'choose-models'], max: 210 },
  { page: 'keys', programs: ['keys-page'], max: 180 },
  { page: 'models', programs: ['models-page'], max: 180 },
  { page: 'models, while router models are chosen', programs: ['models-page', 'add-router-models'], max: 190 },
  { page: 'usage', programs: ['usage-page', 'usage-chart'], max: 180 },
];

const html = readFileSync(join(DIST, 'index.html'), 'utf8');
const scripts = readdirSync(ASSETS).filter((name) => name.endsWith('.js'));

describeInBrowser('the page at the printed address', (open) => {
  it('loads at most 180 KB of scripts in all, compressed, and nothing of Firebase', async () => {
    await using app = await startDashboard();
    const { page } = await open();
    await page.goto(app.baseUrl);
    await page.getByRole('button', { name: 'Run', exact: true }).waitFor();
    await page.waitForLoadState('networkidle');
    const loaded = await page.evaluate(() =>
      performance
        .getEntriesByType('resource')
        .map((entry) => entry as PerformanceResourceTiming)
        .filter(({ name }) => name.endsWith('.js'))
        .map(({ name, encodedBodySize, decodedBodySize }) => ({ name, encodedBodySize, decodedBodySize })),
    );
    const sum = loaded.reduce((total, { encodedBodySize }) => total + encodedBodySize, 0) / KILOBYTE;
    console.info(`At the printed address: ${sum.toFixed(1)} KB of scripts in ${loaded.length} files, compressed`);
    expect(sum).toBeLessThanOrEqual(180);
    expect(loaded.filter(({ name }) => /firebase|run-view/.test(name))).toEqual([]);
    const large = loaded.filter(({ decodedBodySize }) => decodedBodySize > 2 * KILOBYTE);
    expect(large.length).toBeGreaterThan(5);
    expect(large.filter(({ encodedBodySize, decodedBodySize }) => encodedBodySize > decodedBodySize * 0.7)).toEqual([]);
  });
});

describe('the scripts of the dashboard', () => {
  const first = withImports(scripts.filter((name) => html.includes(name)));

  it.each(PAGES_MAX_KB)('of the page $page are at most $max KB in all, compressed', ({ programs, max }) => {
    const own = programs.map((program) => scripts.filter((name) => name.startsWith(program)));
    expect(own.map(({ length }) => length)).toEqual(programs.map(() => 1));
    const boot = gzipSync(readFileSync(join(DIST, 'boot.js')), { level: 9 }).length / KILOBYTE;
    const sum = boot + kilobytes(first.union(withImports(own.flat())));
    console.info(`${programs.join(' + ')}: ${sum.toFixed(1)} KB`);
    expect(first.size).toBeGreaterThan(0);
    expect(sum).toBeLessThanOrEqual(max);
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
