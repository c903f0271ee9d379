import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { FIREBASE_TOOLS } from '../support/firebase-cli';

/** Stand-in for the start page of the Emulator UI, which is downloaded from Google's servers. */
export const START_PAGE = '<title>Emulator UI</title>';

/**
 * A folder of downloaded emulators, in `directory`, with pages of the UI in the version that the Firebase CLI wants. What
 * is downloaded on this machine is there too.
 */
export function emulatorsWithPages(directory: string): string {
  const folder = join(directory, 'emulators');
  const downloaded = join(homedir(), '.cache', 'firebase', 'emulators');
  const { ui } = JSON.parse(
    readFileSync(join(FIREBASE_TOOLS, 'lib', 'emulator', 'downloadableEmulatorInfo.json'), 'utf8'),
  ) as { ui: { main: { version: string } } };
  const pages = join(folder, `ui-v${ui.main.version}`);
  for (const part of ['client', 'server']) mkdirSync(join(pages, part), { recursive: true });
  writeFileSync(join(pages, 'client', 'index.html'), START_PAGE);
  writeFileSync(join(pages, 'server', 'server.mjs'), '');
  const others = existsSync(downloaded) ? readdirSync(downloaded).filter((name) => !name.startsWith('ui-v')) : [];
  for (const name of others) symlinkSync(join(downloaded, name), join(folder, name));
  return folder;
}
