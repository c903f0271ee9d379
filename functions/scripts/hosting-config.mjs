// firebase.json with the servers that the pages may ask: it names those that every project has, and the Auth emulator, for
// `firebase emulators:start`; where the function is depends on the project.
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

const OF_EMULATOR = /^http:\/\/127\.0\.0\.1:/;

/**
 * Writes a copy in which the content security policy of the pages allows more `origins`, by rule, in place of the emulator;
 * `change` changes more of it. Removed when the program ends.
 */
export function writeConfig(config, { label, origins, change }) {
  const settings = JSON.parse(readFileSync(config, 'utf8'));
  for (const header of settings.hosting.headers.flatMap(({ headers }) => headers)) {
    if (header.key === 'content-security-policy') header.value = allowing(header.value, origins);
  }
  change?.(settings);
  // Beside the original: the CLI takes the folder of its configuration for that of the project.
  const written = join(dirname(config), `.${label}.${basename(config)}`);
  writeFileSync(written, JSON.stringify(settings));
  process.on('exit', () => rmSync(written, { force: true }));
  return written;
}

function allowing(policy, origins) {
  const rules = policy.split('; ').map((rule) => rule.split(' ').filter((source) => !OF_EMULATOR.test(source)));
  return rules.map(([name, ...sources]) => [name, ...sources, ...(origins[name] ?? [])].join(' ')).join('; ');
}
