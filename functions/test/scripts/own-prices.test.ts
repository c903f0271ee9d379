import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

/** What the build leaves of the price list. */

const FUNCTIONS = join(__dirname, '..', '..');

/** Prices every model of ours by the package and by what the build makes of it; prints what is not the same. */
const PROGRAM = `
  import { createRequire } from 'node:module';
  import { isDeepStrictEqual } from 'node:util';
  import { build } from 'esbuild';
  import { ownPrices } from './scripts/own-prices.mjs';
  const whole = createRequire(import.meta.resolve('./scripts/own-prices.mjs'))('@pydantic/genai-prices');
  const { outputFiles } = await build({
    stdin: { contents: "module.exports = require('@pydantic/genai-prices');", resolveDir: '.' },
    ...{ bundle: true, platform: 'node', format: 'cjs', write: false, plugins: [ownPrices] },
  });
  const module = { exports: {} };
  new Function('module', 'exports', outputFiles[0].text)(module, module.exports);
  const usage = { input_tokens: 300_000, cache_read_tokens: 1_000, cache_write_tokens: 500, output_tokens: 7_000 };
  const cost = (list, model, providerId, day) => {
    const { total_price, model_price, model: found } =
      list.calcPrice(usage, model, { providerId, timestamp: new Date(day) }) ?? {};
    return { total_price, model_price, id: found?.id };
  };
  const other = [];
  let models = 0;
  for (const providerId of ['anthropic', 'google', 'openai']) {
    for (const { id } of [...whole.findProvider({ providerId }).models, { id: 'claude-opus-9' }, { id: 'unheard-of' }]) {
      for (const day of ['2024-01-01', '2026-11-23']) {
        models += 1;
        const [ours, theirs] = [module.exports, whole].map((list) => cost(list, id, providerId, day));
        if (!isDeepStrictEqual(ours, theirs)) other.push(providerId + '/' + id);
      }
    }
  }
  console.log(JSON.stringify({ models, other, elsewhere: module.exports.findProvider({ providerId: 'groq' }) ?? null }));
`;

it('has every price of the providers that we ask, and none of others', () => {
  const args = ['--input-type=module', '-e', PROGRAM];
  const told = JSON.parse(execFileSync(process.execPath, args, { cwd: FUNCTIONS, encoding: 'utf8' }));
  expect(told).toEqual({ models: expect.any(Number), other: [], elsewhere: null });
  expect(told.models).toBeGreaterThan(300);
});
