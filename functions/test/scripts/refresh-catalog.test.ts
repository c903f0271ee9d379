import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { during } from '../support/during';
import { ranProgram } from '../support/programs';
import { temporaryDirectory } from '../support/temporary-directory';

const FUNCTIONS = join(__dirname, '..', '..');

describe('npm run refresh-catalog', () => {
  const copy = during('each', temporaryDirectory);
  const file = (name: string) => join(copy.path, `src/models/${name}-models.json`);
  const change = (name: string, from: string, to: string) => {
    const text = readFileSync(file(name), 'utf8');
    expect(text).toContain(from);
    writeFileSync(file(name), text.replace(from, to));
  };
  const refresh = (...args: string[]) =>
    ranProgram(['scripts/refresh-catalog.mjs', ...args], { PATH: process.env['PATH'] }, copy.path);
  beforeEach(() => {
    mkdirSync(join(copy.path, 'src/models'), { recursive: true });
    for (const part of ['package.json', 'scripts', 'src/models/curated-models.json', 'src/models/listed-models.json']) {
      cpSync(join(FUNCTIONS, part), join(copy.path, part), { recursive: true });
    }
    symlinkSync(join(FUNCTIONS, 'node_modules'), join(copy.path, 'node_modules'));
  });

  it('finds the catalog to be what the installed price list says: a newer list is taken over by review', async () => {
    const output = expect.stringContaining('listed-models.json is what @pydantic/genai-prices ');
    expect(await refresh('--check')).toEqual({ code: 0, output });
  });

  it('writes what is out of date, and with --check only says so', async () => {
    const current = readFileSync(file('listed'), 'utf8');
    change('listed', '"contextTokens": 400000', '"contextTokens": 300000');
    const old = readFileSync(file('listed'), 'utf8');
    const output = expect.stringContaining('listed-models.json is not what ');
    expect(await refresh('--check')).toEqual({ code: 1, output });
    expect(readFileSync(file('listed'), 'utf8')).toBe(old);
    expect((await refresh()).code).toBe(0);
    expect(readFileSync(file('listed'), 'utf8')).toBe(current);
  });

  it('proposes chat models that have neither a row nor been passed over, and doubts rows that the list does not know', async () => {
    change('curated', '"gpt-5.4-mini"', '"gpt-unknown"');
    const { output } = await refresh();
    expect(output).toContain('  gpt-unknown: not in the price list\n');
    expect(output).toMatch(/New models, .*:\n(?: .*\n)* {2}\{ "id": "gpt-5\.4-mini", "name": ".+" \}$/m);
  });
});
