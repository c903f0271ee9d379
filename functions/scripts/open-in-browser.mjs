// Opens a page in the browser of whoever has started the server.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const OPENERS = { darwin: 'open', win32: 'explorer' };

/**
 * Opens an address that has a secret in it. Other accounts of the machine see with which words a program was started, so the
 * address stands in a file that is this account's alone and leads there. On a machine without a browser nothing happens.
 */
export function openInBrowser(url) {
  const folder = mkdtempSync(join(tmpdir(), 'ensemble-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  const page = join(folder, 'dashboard.html');
  writeFileSync(page, `<!doctype html><meta http-equiv="refresh" content="0; url=${url}">`);
  const opener = spawn(OPENERS[process.platform] ?? 'xdg-open', [page], { stdio: 'ignore', detached: true });
  opener.on('error', () => {});
  opener.unref();
}
