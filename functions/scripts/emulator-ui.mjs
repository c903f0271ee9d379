// The Emulator UI: pages that the Firebase CLI downloads once, 4 MB from Google's servers, and serves from then on. The
// CLI does not start anything when it cannot have them; we start the rest.
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { firebaseCommand } from './firebase-cli.mjs';

const DOWNLOAD_TIMEOUT_MS = 60_000;

/**
 * The configuration to start the emulators with and the address of the UI; where the UI is switched off or cannot be had,
 * no address, a configuration without it and, in the second case, why. Call `remove` when the emulators have ended.
 */
export async function withEmulatorUi(config) {
  const settings = JSON.parse(readFileSync(config, 'utf8'));
  const { ui } = settings.emulators;
  const same = { config, remove: () => {} };
  if (ui?.enabled === false) return same;
  const reason = await reasonForNoUi();
  if (reason === undefined) return { ...same, address: `127.0.0.1:${ui?.port ?? 4000}` };
  // Beside the original: the CLI takes the folder of its configuration for that of the project.
  const without = join(dirname(config), `.without-ui.${basename(config)}`);
  writeFileSync(without, JSON.stringify({ ...settings, emulators: { ...settings.emulators, ui: { enabled: false } } }));
  return { config: without, reason, remove: () => rmSync(without, { force: true }) };
}

/** Sees to it that the pages are there, downloading them the first time. */
async function reasonForNoUi() {
  const [, cli] = firebaseCommand([]);
  const downloads = createRequire(cli)('../../lib/emulator/downloadableEmulators.js');
  if (existsSync(downloads.getDownloadDetails('ui').binaryPath)) return undefined;
  console.log('Downloading the Emulator UI (first run) ...');
  const { promise: tooLong, reject } = Promise.withResolvers();
  const timer = setTimeout(() => reject(new Error('it took too long')), DOWNLOAD_TIMEOUT_MS);
  try {
    await Promise.race([downloads.downloadIfNecessary('ui'), tooLong]);
    return undefined;
  } catch (error) {
    return error.original?.message ?? error.message;
  } finally {
    clearTimeout(timer);
  }
}
