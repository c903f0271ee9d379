import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';

/** Every link within the repository leads to a file that is there, and to a heading that it has. */

const ROOT = join(__dirname, '..', '..', '..');
const PASSED_OVER = /(^|\/)(node_modules|\.git|lib|coverage|\.data)(\/|$)/;

function pages(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (PASSED_OVER.test(relative(ROOT, path))) return [];
    if (entry.isDirectory()) return pages(path);
    return entry.name.endsWith('.md') ? [path] : [];
  });
}

/** A page as it is read: what stands in blocks and pieces of code is no link. */
function prose(page: string): string {
  return readFileSync(page, 'utf8')
    .replaceAll(/^( *)(`{3,})[^\n]*\n[\s\S]*?^\1\2$/gm, '')
    .replaceAll(/(`+)[^`][\s\S]*?\1/g, (code) => code.replaceAll(/[[\]()]/g, ' '));
}

/** The anchors that GitHub gives the headings of a page; a heading that comes again gets a number. */
function anchors(page: string): Set<string> {
  const seen = new Map<string, number>();
  const text = readFileSync(page, 'utf8').replaceAll(/^( *)(`{3,})[^\n]*\n[\s\S]*?^\1\2$/gm, '');
  const found = [...text.matchAll(/^#{1,6} +(.+?)\s*$/gm)].map(([, heading = '']) => {
    const slug = heading
      .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{M}\p{N}\p{Pc} -]/gu, '')
      .replaceAll(' ', '-');
    const times = seen.get(slug) ?? 0;
    seen.set(slug, times + 1);
    return times === 0 ? slug : `${slug}-${times}`;
  });
  return new Set(found);
}

interface Link {
  readonly page: string;
  readonly target: string;
}

function linksOf(page: string): Link[] {
  const found = prose(page).matchAll(/\]\(<?([^\s)>]+)>?(?: "[^"]*")?\)|\b(?:href|src|srcset)="([^"]+)"/g);
  return [...found].map(([, target, attribute]) => target ?? attribute ?? '').map((target) => ({ page, target }));
}

/** Fault of a link; undefined when it leads somewhere. */
function flawOf({ page, target }: Link): string | undefined {
  if (/^(https:|mailto:|http:\/\/(127\.0\.0\.1|localhost))/.test(target)) return undefined;
  const [path = '', anchor] = target.split('#');
  const file = path === '' ? page : resolve(dirname(page), decodeURI(path));
  if (!existsSync(file)) return 'no such file';
  if (relative(ROOT, file).startsWith('..')) return 'outside the repository';
  if (anchor === undefined) return undefined;
  return statSync(file).isFile() && anchors(file).has(anchor) ? undefined : 'no such heading';
}

const LINKS = pages(ROOT).flatMap(linksOf);

it('every link leads to a file of the repository and to one of its headings, or to another site by https', () => {
  expect(LINKS.filter(({ target }) => target.includes('#')).length).toBeGreaterThan(50);
  const broken = LINKS.flatMap((link) => {
    const flaw = flawOf(link);
    return flaw === undefined ? [] : [`${relative(ROOT, link.page)}: ${link.target}: ${flaw}`];
  });
  expect(broken).toEqual([]);
});
