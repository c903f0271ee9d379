// The pages on the Hosting emulator: the headers are those of a deployment, with the addresses of the other emulators.
import { readFileSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { writeWithOrigins } from './page-policy.mjs';

/** The configuration to start the emulators with. Call `remove` when they have ended. */
export function withEmulators(config) {
  const { emulators } = JSON.parse(readFileSync(config, 'utf8'));
  const [auth, functions] = [emulators.auth, emulators.functions].map(({ port }) => `http://127.0.0.1:${port}`);
  // Beside the original: the CLI takes the folder of its configuration for that of the project.
  const written = join(dirname(config), `.emulators.${basename(config)}`);
  writeWithOrigins(config, written, { origins: { 'connect-src': [auth, functions], 'frame-src': [auth] } });
  return { config: written, remove: () => rmSync(written, { force: true }) };
}
