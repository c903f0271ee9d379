// The Emulator UI: pages that the Firebase CLI downloads once, 4 MB from Google's servers, and serves from then on.
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { firebaseCommand } from './firebase-cli.mjs';

/** Downloads the pages where they are missing; returns why they cannot be had, without which the CLI starts nothing. */
export async function reasonForNoUi() {
  const [, cli] = firebaseCommand([]);
  const downloads = createRequire(cli)('../../lib/emulator/downloadableEmulators.js');
  if (existsSync(downloads.getDownloadDetails('ui').binaryPath)) return undefined;
  console.log('Downloading the Emulator UI (first run) ...');
  try {
    await downloads.downloadIfNecessary('ui');
    return undefined;
  } catch (error) {
    return error.original?.message ?? error.message;
  }
}
