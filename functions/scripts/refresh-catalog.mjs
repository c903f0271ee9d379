// Compares the catalogue with the installed price list and says what to look at. Nothing is changed, unless `--write`:
// then `listed-models.json` is written anew, for review as a diff. `--check` fails when that file is out of date.
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { parseArgs } from 'node:util';
import { findProvider } from '@pydantic/genai-prices';
import { differences, doubtfulRows, factsOf, newModels } from './catalog-review.mjs';

const { values } = parseArgs({ options: { write: { type: 'boolean' }, check: { type: 'boolean' } } });
const LISTED = new URL('../src/models/listed-models.json', import.meta.url);
const read = (url) => JSON.parse(readFileSync(url, 'utf8'));

const curated = read(new URL('../src/models/curated-models.json', import.meta.url));
const listed = read(LISTED);
const providers = ['openai', 'anthropic', 'google'].map((providerId) => findProvider({ providerId }));
const models = factsOf(curated, providers);
const source = `@pydantic/genai-prices ${versionOf('@pydantic/genai-prices')}`;
const changes = differences(listed.models, models);
if (listed.source !== source) changes.unshift(`source: ${listed.source} -> ${source}`);

console.log(`Price list: ${source}`);
tell('What it says of our models has changed (--write takes it over; review the diff)', changes);
tell('Rows to look at', doubtfulRows(curated, providers));
tell('New models of known families: give them a row in curated-models.json, or add them to its "passedOver"', [
  ...newModels(curated, providers),
]);

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

/** The package exports no package.json, so it is looked up beside its entry. */
function versionOf(name) {
  const entry = createRequire(import.meta.url).resolve(name);
  return read(new URL('../package.json', `file://${entry}`)).version;
}
