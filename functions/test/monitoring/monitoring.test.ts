import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The files of monitoring/ read messages and fields that the service writes, and lead to a section of the runbook. */

const ROOT = join(__dirname, '..', '..', '..');
const MONITORING = join(ROOT, 'monitoring');
const FILES = readdirSync(MONITORING, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.json'));
const RUNBOOK = readFileSync(join(ROOT, 'docs', 'runbook.md'), 'utf8');
const SOURCES = join(ROOT, 'functions', 'src');

const textOf = (path: string): string => readFileSync(join(MONITORING, path), 'utf8');
const source = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' })
  .filter((path) => /(?<!\.test)\.ts$/.test(path))
  .map((path) => readFileSync(join(SOURCES, path), 'utf8'))
  .join('\n');

it('every field that metrics and alerts read is one of the source', () => {
  const read = FILES.flatMap((path) => [...textOf(path).matchAll(/jsonPayload\.(?:\\"([^"\\]+)\\"|(\w+))/g)]);
  const fields = new Set(read.map(([, quoted, plain]) => quoted ?? plain ?? ''));
  expect(fields.size).toBeGreaterThan(8);
  const isWritten = (field: string): boolean => new RegExp(`'${field}':|\\b${field}\\b[,:} ]`).test(source);
  expect([...fields].filter((field) => !isWritten(field))).toEqual([]);
});

it('every message that metrics, alerts and the runbook look for is one of the source', () => {
  const texts = [...FILES.map(textOf), RUNBOOK].join('\n');
  const lookedFor = [...texts.matchAll(/jsonPayload\.message=(\([^)]*\)|\\?"[^"\\]+)/g)].map(([, found = '']) => found);
  const messages = lookedFor.flatMap((found) =>
    [...found.matchAll(/"(\w[^"\\]*)/g)].map(([, message = '']) => message),
  );
  expect(messages.length).toBeGreaterThan(8);
  expect(messages.filter((message) => !source.includes(`'${message}'`))).toEqual([]);
});

it('every alert has a section of the runbook, which it links', () => {
  const sections = [...RUNBOOK.matchAll(/^## (.+)$/gm)];
  const policies = readdirSync(join(MONITORING, 'policies')).map((path) => path.replace('.json', ''));
  expect(sections.map(([, name]) => name).sort()).toEqual(policies.sort());
  for (const name of policies) expect(textOf(`policies/${name}.json`)).toContain(`docs/runbook.md#${name}`);
});
