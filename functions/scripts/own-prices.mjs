// The price list knows dozens of providers, of which we ask for three. With all of them the first priced call of a process
// would take 30 ms to read it. This esbuild plugin leaves the others out, and writes the rest as JSON, which V8 reads faster.
import { readFileSync } from 'node:fs';

/** Those that `src/models/prices.ts` asks for. */
const PROVIDERS = ['anthropic', 'google', 'openai'];
/** The list in the code of the package: a literal, with what comes after it. */
const LIST = /(?<=\bconst \w+=)\[\{id:"anthropic"[\s\S]*?\}\](?=,\w+=\{audio_seconds:)/;

export const ownPrices = {
  name: 'own-prices',
  setup(build) {
    build.onLoad({ filter: /[\\/]genai-prices[\\/]dist[\\/]index\.cjs$/ }, ({ path }) => ({
      contents: withOwn(readFileSync(path, 'utf8')),
      loader: 'js',
    }));
  },
};

/** Throws where the package is no longer written as it was: a price must not be missing in silence. */
function withOwn(source) {
  const [literal] = LIST.exec(source) ?? [];
  if (literal === undefined) throw new Error('own-prices.mjs does not find the list in @pydantic/genai-prices');
  const providers = new Function(`return ${literal}`)();
  // What a price is looked up by and made of; the rest tells how replies are read.
  const own = providers.filter(({ id }) => PROVIDERS.includes(id)).map(({ extractors, ...one }) => one);
  const asked = own.flatMap(({ id, fallback_model_providers: others = [] }) => [id, ...others]);
  const missing = [...PROVIDERS, ...asked].filter((id) => !own.some((one) => one.id === id));
  if (missing.length > 0) throw new Error(`own-prices.mjs must keep the prices of ${missing.join(', ')} too`);
  return source.replace(LIST, () => `JSON.parse(${JSON.stringify(JSON.stringify(own))})`);
}
