import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isLongMode } from '../support/long-mode';
import { growsFaster } from './readers/growth';
import { HOSTILE_JSON, HOSTILE_TEXTS } from './readers/hostile-texts';
import { NOT_TIMED, READ_JSON, READERS, SLOW_READERS, SOURCES } from './readers/text-readers';

/** Nobody can stop the event loop with a text: reading one takes time in proportion to its length, whatever it says. */

const FEW = 16;
/** Functions that a module which takes texts apart cannot do without. */
const TAKES_APART =
  /\.(?:split|replace|replaceAll|match|matchAll|indexOf|lastIndexOf|normalize|trim|trimEnd|exec|test|search|regex)\(|JSON\.parse|new RegExp|createParser|Date\.parse/;
const TIMED = new Set([...Object.keys(READERS), ...Object.keys(SLOW_READERS)]);

describe.each([...TIMED])('%s', (module) => {
  const all = READ_JSON.has(module) ? [...HOSTILE_TEXTS, ...HOSTILE_JSON] : HOSTILE_TEXTS;
  const few = isLongMode ? all : all.filter((_, index) => index % FEW === 0);
  const rows = [
    ...Object.entries(READERS[module] ?? {}).map(([name, reader]) => ({ name, reader, texts: all })),
    ...Object.entries(SLOW_READERS[module] ?? {}).map(([name, reader]) => ({ name, reader, texts: few })),
  ];

  it.each(rows)(
    '$name: twice the text, twice the time',
    async ({ reader, texts }) => {
      expect(await growsFaster(reader, texts)).toEqual([]);
    },
    600_000,
  );
});

it('every module that takes texts apart is timed, or says why it need not be', () => {
  const modules = globSync('**/*.ts', { cwd: SOURCES }).filter((file) => !file.endsWith('.test.ts'));
  const taking = modules.filter((file) => TAKES_APART.test(readFileSync(join(SOURCES, file), 'utf8')));
  const known = [...TIMED, ...NOT_TIMED];
  expect(taking.filter((file) => !known.includes(file))).toEqual([]);
  expect(known.filter((file) => !modules.includes(file))).toEqual([]);
});
