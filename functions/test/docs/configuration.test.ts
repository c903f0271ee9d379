import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { readConfig } from '../../src/config';

/** docs/configuration.md has one row for each setting that the code reads, with its default. */

const FUNCTIONS = join(__dirname, '..', '..');
const PAGE = readFileSync(join(FUNCTIONS, '..', 'docs', 'configuration.md'), 'utf8');

/** Variables that the code reads and nobody sets by hand: the platform, its emulators, the shell or npm does. */
const SET_BY_OTHERS = new Set([
  'CI',
  'FIREBASE_AUTH_EMULATOR_HOST',
  'FIRESTORE_EMULATOR_HOST',
  'GOOGLE_APPLICATION_CREDENTIALS',
  'K_REVISION',
  'K_SERVICE',
  'PATH',
]);
const PREFIXES_SET_BY_OTHERS = /^FUNCTIONS?_|^npm_/;

function programs(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => /(?<!\.test)\.(ts|mjs|cjs)$/.test(path))
    .map((path) => readFileSync(join(folder, path), 'utf8'));
}

/** Settings that the service reads, here and when it is deployed. */
function settingsOfService(): string[] {
  const names = new Set<string>();
  // Those of proxies are read in small letters, too.
  const get = (_: object, name: string | symbol) => void names.add(String(name).toUpperCase());
  readConfig(new Proxy<Record<string, string | undefined>>({}, { get }));
  return [...names];
}

/** Settings that the code takes from the environment: the settings of the service, and what deployments and scripts ask for. */
function settingsRead(): string[] {
  const texts = [...programs(join(FUNCTIONS, 'src')), ...programs(join(FUNCTIONS, 'scripts'))].join('\n');
  const named = texts.matchAll(/\b(?:env(?:\.|\[')|wholeNumber\(')([A-Z][A-Z0-9_]+)/g);
  const names = new Set([...settingsOfService(), ...[...named].map(([, name = '']) => name)]);
  return [...names].filter((name) => !SET_BY_OTHERS.has(name) && !PREFIXES_SET_BY_OTHERS.test(name)).sort();
}

/** The rows of the tables of the page: each setting with its default. */
const SETTINGS = [...PAGE.matchAll(/^\| `([A-Z0-9_]+)` \|([^|]*)\|/gm)].map(([, name = '', cell = '']) => ({
  name,
  defaultText: /^`([^`]+)`$/.exec(cell.trim())?.[1],
}));

describe('docs/configuration.md', () => {
  it('has one row for each setting that is read, and none for any other', () => {
    expect(SETTINGS.map(({ name }) => name).sort()).toEqual(settingsRead());
  });

  const withDefaults = SETTINGS.filter(({ name, defaultText }) => defaultText && settingsOfService().includes(name));
  it.each(withDefaults)('$name: $defaultText is what applies when it is not set', ({ name, defaultText }) => {
    expect(readConfig({ [name]: defaultText })).toEqual(readConfig({}));
  });
});

it('functions/.env.example has every documented setting once, in the same order, and sets nothing', () => {
  const text = readFileSync(join(FUNCTIONS, '.env.example'), 'utf8');
  const listed = [...text.matchAll(/^#?([A-Z][A-Z0-9_]*)=/gm)].map(([, name]) => name);
  expect(listed).toEqual(SETTINGS.map(({ name }) => name));
  expect(parseEnv(text)).toEqual({});
});
