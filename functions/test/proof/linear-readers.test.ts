import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isLongMode } from '../support/long-mode';
import { growsFaster } from './readers/growth';
import { HOSTILE_JSON, HOSTILE_TEXTS } from './readers/hostile-texts';
import { JSON_READERS } from './readers/json-readers';
import { NOT_TIMED } from './readers/not-timed';
import { SLOW_READERS } from './readers/slow-readers';
import { READERS } from './readers/text-readers';

/** Nobody can stop the event loop with a text: reading one takes time in proportion to its length, whatever it says. */

const SOURCES = join(__dirname, '../../src');
const FEW = 64;
const ALL = [...HOSTILE_TEXTS, ...HOSTILE_JSON];
const TEXTS = {
  READERS: HOSTILE_TEXTS,
  JSON_READERS: ALL,
  SLOW_READERS: ALL.filter((_, at) => isLongMode || at % FEW === 0),
};
/** Functions that a module which takes texts apart cannot do without. */
const TAKES_APART =
  /\.(?:split|replace|replaceAll|match|matchAll|indexOf|lastIndexOf|normalize|trim|trimEnd|exec|test|search|regex)\(|JSON\.parse|new RegExp|createParser|Date\.parse/;

it.each(
  Object.entries({ READERS, JSON_READERS, SLOW_READERS }).flatMap(([table, readers]) =>
    Object.entries(readers).map(([name, reader]) => ({ name, reader, texts: TEXTS[table as keyof typeof TEXTS] })),
  ),
)(
  '$name: twice the text, twice the time',
  async ({ reader, texts }) => {
    expect(await growsFaster(reader, texts)).toEqual([]);
  },
  600_000,
);

it('every module that takes texts apart is timed, or says why it need not be', () => {
  const modules = globSync('**/*.ts', { cwd: SOURCES }).filter((file) => !file.endsWith('.test.ts'));
  const taking = modules.filter((file) => TAKES_APART.test(readFileSync(join(SOURCES, file), 'utf8')));
  const tables = globSync('readers/*.ts', { cwd: __dirname }).map((file) =>
    readFileSync(join(__dirname, file), 'utf8'),
  );
  const timed = tables.flatMap((table) => [
    ...table.matchAll(/^(?:import|\}) (?!type)[^;]*? from '\.\.\/\.\.\/\.\.\/src\/(.*)';$/gm),
  ]);
  const known = [...timed.map(([, module]) => `${module}.ts`), ...NOT_TIMED];
  const isKnown = (file: string) => known.some((one) => file === one || (one.endsWith('/') && file.startsWith(one)));
  expect(taking.filter((file) => !isKnown(file))).toEqual([]);
  expect(NOT_TIMED.filter((one) => !modules.some((file) => file.startsWith(one)))).toEqual([]);
});
