import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { startApp } from '../support/app';
import { during } from '../support/during';
import { demoScript } from '../support/scripted-models';

/** Every `curl` to a local server that a document shows is answered, as it stands there. */

const ROOT = join(__dirname, '..', '..', '..');
const BASE_URL = 'http://127.0.0.1:8080';
const PAGES = ['README.md', ...readdirSync(join(ROOT, 'docs')).map((name) => `docs/${name}`)];

interface Example {
  readonly page: string;
  readonly path: string;
  readonly body: string;
}

function examplesOf(page: string): Example[] {
  const text = readFileSync(join(ROOT, page), 'utf8').replaceAll(/\\\n\s*/g, ' ');
  const found = text.matchAll(
    /^ *curl (?:-\w+ )*http:\/\/127\.0\.0\.1:8080(\/v1\/\S+) (?:(?!-d ')[^\n])*-d '([^']*)'/gm,
  );
  return [...found].map(([, path = '', body = '']) => ({ page, path, body }));
}

const EXAMPLES = PAGES.filter((page) => page.endsWith('.md')).flatMap(examplesOf);

describe('the curl lines of the documents', () => {
  const app = during('all', () => startApp({ script: demoScript }));

  it('are found', () => {
    expect(EXAMPLES.map(({ page }) => page)).toEqual(expect.arrayContaining(['README.md', 'docs/evaluations.md']));
    const lines = PAGES.filter((page) => page.endsWith('.md')).flatMap(
      (page) => readFileSync(join(ROOT, page), 'utf8').match(new RegExp(`^ *curl .*${BASE_URL}`, 'gm')) ?? [],
    );
    expect(EXAMPLES).toHaveLength(lines.length);
  });

  it.each(EXAMPLES)('$page: $path', async ({ path, body }) => {
    const headers = { authorization: `Bearer ${app.key}`, 'content-type': 'application/json' };
    const reply = await fetch(new URL(path, app.baseUrl), { method: 'POST', headers, body });
    expect([reply.status, await reply.text()]).toEqual([200, expect.stringMatching(/^\{"(id|evaluations)"/)]);
  });
});
