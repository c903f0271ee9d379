// Mutation testing of the areas named, or of all: `npm run mutation -- guard usage`.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { AREA_NAMES } from '../stryker.config.mjs';

const names = process.argv.slice(2);
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
  const { status } = spawnSync(process.execPath, [stryker, 'run'], { stdio: 'inherit', env });
  failed ||= status !== 0;
}
process.exit(failed ? 1 : 0);
