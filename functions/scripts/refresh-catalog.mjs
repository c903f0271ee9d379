// Compares the catalogue with the installed price list and says what to look at. Nothing is changed, unless `--write`:
// then `listed-models.json` is written anew, for review as a diff. `--check` fails when that file is out of date.
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
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

const { values } = parseArgs({ options: { write: { type: 'boolean' }, check: { type: 'boolean' } } });
const read = (url) => JSON.parse(readFileSync(url, 'utf8'));
const curated = read(new URL('../src/models/curated-models.json', import.meta.url));
const listed = read(LISTED);
const providers = Object.keys(FAMILIES).map((providerId) => findProvider({ providerId }));
const rows = providers.flatMap((provider) =>
  curated[provider.id].map((row) => ({ row, entry: calcPrice({}, row.id, { provider })?.model })),
);
const known = rows.filter(({ entry }) => entry);
const models = Object.fromEntries(known.map(({ row, entry }) => [row.id, factsOf(entry)]));
// The package exports no package.json, so it is looked up beside its entry.
const entryFile = createRequire(import.meta.url).resolve(PRICES);
const source = `${PRICES} ${read(new URL('../package.json', `file://${entryFile}`)).version}`;
const changes = [
  ...(listed.source === source ? [] : [`source: ${listed.source} -> ${source}`]),
  ...[...new Set([...Object.keys(listed.models), ...Object.keys(models)])].flatMap(differences),
];

console.log(`Price list: ${source}`);
tell('What it says of our models has changed (--write takes it over; review the diff)', changes);
tell('Rows to look at', rows.flatMap(doubts));
tell(
  'New models of known families: give them a row in curated-models.json, or add them to its "passedOver"',
  providers.flatMap(newModels),
);

if (values.write) {
  writeFileSync(LISTED, `${JSON.stringify({ source, models }, null, 2)}\n`);
  console.log('Written: src/models/listed-models.json');
} else if (values.check && changes.length > 0) {
  process.exitCode = 1;
}

function tell(title, lines) {
  console.log(lines.length === 0 ? `${title.split(/[:(]/)[0].trim()}: nothing` : `${title}:`);
  for (const line of lines) console.log(`  ${line}`);
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

/** One line for each difference between the facts kept of a model and those of the list. */
function differences(id) {
  const [kept, found] = [listed.models[id], models[id]];
  if (!kept || !found) return [`${id}: ${found ? 'new' : 'gone'}`];
  const told = (value) => JSON.stringify(value) ?? 'none';
  return ['contextTokens', 'prices']
    .filter((field) => told(kept[field]) !== told(found[field]))
    .map((field) => `${id}: ${field} ${told(kept[field])} -> ${told(found[field])}`);
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
    const { id, name = id, context_window: contextTokens, deprecated } = entry;
    const isChat = FAMILIES[provider.id].test(id) && !NOT_CHAT.test(id.replace(VERSION_DOT, ''));
    const { input_mtok: input, output_mtok: output } = isChat ? ratesNow(entry) : {};
    if (deprecated || seen.has(id) || input === undefined || output === undefined) return [];
    const usd = (rate) => `$${rate.base ?? rate}`;
    const context = contextTokens === undefined ? 'context unknown' : `${contextTokens} tokens`;
    return [`{ "id": "${id}", "name": "${name}" }   ${context}, ${usd(input)} in, ${usd(output)} out`];
  });
}

function ratesNow(entry) {
  const models = [{ ...entry, match: { equals: entry.id } }];
  return calcPrice({}, entry.id, { provider: { id: 'x', name: 'x', api_pattern: '', models } }).model_price;
}
