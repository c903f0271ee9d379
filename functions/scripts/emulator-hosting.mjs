// The pages on the Hosting emulator: the headers are those of a deployment, and let the page reach the Auth emulator too.
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

const POLICY = 'content-security-policy';

/** The configuration to start the emulators with. Call `remove` when they have ended. */
export function withAuthEmulator(config) {
  const settings = JSON.parse(readFileSync(config, 'utf8'));
  const auth = `http://127.0.0.1:${settings.emulators.auth.port}`;
  for (const { headers } of settings.hosting.headers) {
    for (const header of headers) if (header.key === POLICY) header.value = allowing(header.value, auth);
  }
  // Beside the original: the CLI takes the folder of its configuration for that of the project.
  const written = join(dirname(config), `.emulators.${basename(config)}`);
  writeFileSync(written, JSON.stringify(settings));
  return { config: written, remove: () => rmSync(written, { force: true }) };
}

function allowing(policy, origin) {
  return policy.replace(/\b(connect-src|frame-src) [^;]*/g, (rule) => `${rule} ${origin}`);
}
