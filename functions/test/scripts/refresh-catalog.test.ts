import { execFileSync, spawnSync } from 'node:child_process';
import {
  copyFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const FUNCTIONS = join(__dirname, '..', '..');

/** A curated catalog, and a price list that has moved on since. */
const CURATED = {
  openai: [
    { id: 'gpt-8', name: 'GPT-8' },
    { id: 'gpt-7', name: 'GPT-7' },
    { id: 'gpt-2', name: 'GPT-2' },
  ],
  passedOver: { openai: ['gpt-8-pro'] },
};
const MATCH_GPT_8 = { or: [{ equals: 'gpt-8' }, { equals: 'gpt-8-2027-01-01' }] };
const RATES = { input_mtok: 2, output_mtok: 8 };
const LIST = {
  id: 'openai',
  name: 'OpenAI',
  api_pattern: '',
  models: [
    {
      id: 'gpt-8',
      match: MATCH_GPT_8,
      context_window: 500_000,
      prices: [
        { prices: { ...RATES, web_searches_kcount: 10 } },
        { constraint: { type: 'start_date', start_date: '2027-01-01' }, prices: { ...RATES, cache_read_mtok: 0.2 } },
      ],
    },
    { id: 'gpt-7-turbo', match: { starts_with: 'gpt-7' }, deprecated: true, prices: RATES },
    { id: 'gpt-8-pro', match: { equals: 'gpt-8-pro' }, prices: RATES },
    { id: 'gpt-9', name: 'GPT-9', match: { equals: 'gpt-9' }, context_window: 1_000_000, prices: RATES },
    { id: 'gpt-9-realtime', match: { equals: 'gpt-9-realtime' }, prices: RATES },
    { id: 'text-embedding-9', match: { equals: 'text-embedding-9' }, prices: { input_mtok: 0.1 } },
    { id: 'gpt-9-old', match: { equals: 'gpt-9-old' }, deprecated: true, prices: RATES },
  ],
};

function evaluate(expression: string): unknown {
  const program = `import * as review from './scripts/catalog-review.mjs';
    const curated = ${JSON.stringify(CURATED)};
    const list = ${JSON.stringify(LIST)};
    console.log(JSON.stringify(${expression}));`;
  const args = ['--input-type=module', '-e', program];
  return JSON.parse(execFileSync(process.execPath, args, { cwd: FUNCTIONS, encoding: 'utf8' }));
}

describe('the review of the catalog', () => {
  it('keeps of a row the context window and the rates of text, with their starting dates', () => {
    expect(evaluate('review.factsOf(curated, [list])')).toEqual({
      'gpt-8': {
        contextTokens: 500_000,
        prices: [RATES, { from: '2027-01-01', ...RATES, cache_read_mtok: 0.2 }],
      },
      'gpt-7': { prices: [RATES] },
    });
  });

  it('proposes chat models of known families that are neither listed nor passed over', () => {
    expect(evaluate('review.newModels(curated, [list])')).toEqual([
      '{ "id": "gpt-9", "name": "GPT-9" }   1000000 tokens, $2 in, $8 out',
    ]);
  });
});

describe('npm run refresh-catalog', () => {
  let copy: string;
  const listed = (): string => join(copy, 'src/models/listed-models.json');
  const refresh = (...args: string[]) =>
    spawnSync(process.execPath, ['scripts/refresh-catalog.mjs', ...args], { cwd: copy, encoding: 'utf8' });
  beforeEach(() => {
    copy = mkdtempSync(join(tmpdir(), 'ensemble-catalog-'));
    mkdirSync(join(copy, 'src/models'), { recursive: true });
    cpSync(join(FUNCTIONS, 'scripts'), join(copy, 'scripts'), { recursive: true });
    for (const name of ['curated', 'listed']) {
      const file = `src/models/${name}-models.json`;
      copyFileSync(join(FUNCTIONS, file), join(copy, file));
    }
    symlinkSync(join(FUNCTIONS, 'node_modules'), join(copy, 'node_modules'));
  });
  afterEach(() => rmSync(copy, { recursive: true, force: true }));

  it('finds the catalog to be what the installed price list says: a newer list is taken over by review', () => {
    const { status, stdout } = refresh('--check');
    expect(stdout).toContain('What it says of our models has changed: nothing');
    expect(status).toBe(0);
  });

  it('tells what is out of date, and writes only when asked', () => {
    const current = readFileSync(listed(), 'utf8');
    const old = current.replace('"contextTokens": 400000', '"contextTokens": 300000');
    expect(old).not.toBe(current);
    writeFileSync(listed(), old);

    const checked = refresh('--check');
    expect(checked.stdout).toContain('gpt-5.4-mini: contextTokens 300000 -> 400000');
    expect(checked.status).toBe(1);
    expect(refresh().status).toBe(0);
    expect(readFileSync(listed(), 'utf8')).toBe(old);

    expect(refresh('--write').status).toBe(0);
    expect(JSON.parse(readFileSync(listed(), 'utf8'))).toEqual(JSON.parse(current));
    expect(refresh('--check').status).toBe(0);
  });
});
