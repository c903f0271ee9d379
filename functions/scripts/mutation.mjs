// Mutation testing of the areas named, or of all: `npm run mutation -- guard usage`. Options are Stryker's own, such as
// `npm run mutation -- guard --mutate src/access/limiter.ts` for one file.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { AREA_NAMES } from '../stryker.config.mjs';

const args = process.argv.slice(2);
const optionsAt = args.findIndex((arg) => arg.startsWith('-'));
const names = optionsAt < 0 ? args : args.slice(0, optionsAt);
const options = args.slice(names.length);
const unknown = names.find((name) => !AREA_NAMES.includes(name));
if (unknown !== undefined) {
  console.error(`Unknown area ${unknown}: choose of ${AREA_NAMES.join(', ')}`);
  process.exit(1);
}
const stryker = fileURLToPath(
  new URL('../../tools/node_modules/@stryker-mutator/core/bin/stryker.js', import.meta.url),
);
let failed = false;
for (const area of names.length > 0 ? names : AREA_NAMES) {
  console.log(`\n${area}`);
  const env = { ...process.env, MUTATION_AREA: area };
  const { status } = spawnSync(process.execPath, [stryker, 'run', ...options], { stdio: 'inherit', env });
  failed ||= status !== 0;
}
process.exit(failed ? 1 : 0);
