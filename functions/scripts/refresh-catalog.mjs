// Writes `listed-models.json` anew from the installed price list, for review as a diff, and says what to look at. With `--check`
// nothing is written, and the exit code is 1 when the file is out of date.
import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { calcPrice, findProvider } from '@pydantic/genai-prices';

const PRICES = '@pydantic/genai-prices';
/** The rates a text call can be billed at; the others (audio, searches, storage) cannot come up here. */
const RATES = ['input_mtok', 'cache_read_mtok', 'cache_write_mtok', 'output_mtok'];
const FAMILIES = { openai: /^(gpt-|o\d|chatgpt-)/, anthropic: /^claude-/, google: /^gemini-/ };
/** Models of the families that are no chat models, or not on the Chat Completions endpoint. */
const NOT_CHAT =
  /audio|realtime|transcribe|tts|image|search|codex|deep-research|instruct|embedding|live|computer-use|robotics|[:.]|vision/;
const VERSION_DOT = /\d\.\d/g;
const LISTED = new URL('../src/models/listed-models.json', import.meta.url);

const { values } = parseArgs({ options: { check: { type: 'boolean' } } });
const read = (url) => JSON.parse(readFileSync(url, 'utf8'));
const curated = read(new URL('../src/models/curated-models.json', import.meta.url));
const providers = Object.keys(FAMILIES).map((providerId) => findProvider({ providerId }));
const rows = providers.flatMap((provider) =>
  curated[provider.id].map((row) => ({ row, entry: calcPrice({}, row.id, { provider })?.model })),
);
const known = rows.filter(({ entry }) => entry);
const models = Object.fromEntries(known.map(({ row, entry }) => [row.id, factsOf(entry)]));
const source = `${PRICES} ${read(new URL('../package.json', import.meta.url)).dependencies[PRICES]}`;
const listed = `${JSON.stringify({ source, models }, null, 2)}\n`;

if (listed === readFileSync(LISTED, 'utf8')) console.log(`listed-models.json is what ${source} says`);
else if (values.check) {
  console.log(`listed-models.json is not what ${source} says: npm run refresh-catalog`);
  process.exitCode = 1;
} else {
  writeFileSync(LISTED, listed);
  console.log(`Written from ${source}: git diff functions/src/models/listed-models.json`);
}
tell('Rows to look at', rows.flatMap(doubts));
tell('New models, for a row or "passedOver" in curated-models.json', providers.flatMap(newModels));

function tell(title, lines) {
  console.log([`${title}:`, ...(lines.length === 0 ? ['none'] : lines)].join('\n  '));
}

/** The facts to keep of a row: prices are the list's own, with their tiers and starting dates. */
function factsOf({ context_window: contextTokens, prices }) {
  const dated = Array.isArray(prices) ? prices : [{ prices }];
  return {
    ...(contextTokens !== undefined && { contextTokens }),
    prices: dated.map(({ constraint, prices: rates }) => ({
      ...(constraint && { from: constraint.start_date ?? `${constraint.start_time} to ${constraint.end_time}` }),
      ...Object.fromEntries(RATES.filter((rate) => rates[rate] !== undefined).map((rate) => [rate, rates[rate]])),
    })),
  };
}

/** One line for a row that the list no longer knows, calls deprecated, or prices as another model. */
function doubts({ row, entry }) {
  if (!entry) return [`${row.id}: not in the price list`];
  return [
    ...(entry.deprecated ? [`${row.id}: deprecated`] : []),
    ...(entry.id === row.id ? [] : [`${row.id}: priced as ${entry.id}`]),
    ...(entry.context_window || row.contextTokens ? [] : [`${row.id}: the list has no context window, name one`]),
  ];
}

/** The list's chat models of the known families that have no row and were not passed over, as rows to consider. */
function newModels(provider) {
  const seen = new Set([...curated[provider.id].map(({ id }) => id), ...curated.passedOver[provider.id]]);
  return provider.models.flatMap((entry) => {
    const { id, name = id, deprecated, prices } = entry;
    const isChat = FAMILIES[provider.id].test(id) && !NOT_CHAT.test(id.replace(VERSION_DOT, ''));
    if (deprecated || seen.has(id) || !isChat || !JSON.stringify(prices).includes('output_mtok')) return [];
    return [`{ "id": "${id}", "name": "${name}" }`];
  });
}
