import { cpSync, mkdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { install } from '../../../../clients/install.mjs';

/**
 * Installs a peer below the user's cache folder, at exactly the versions that its folder here lists, where that has not
 * been done. Returns where it is, or why it is not.
 */
export function installPeer(name) {
  const folder = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'ensemble-api', 'bench-peers', name);
  try {
    mkdirSync(folder, { recursive: true });
    cpSync(fileURLToPath(new URL(`./${name}`, import.meta.url)), folder, { recursive: true });
    install(folder);
    return { folder };
  } catch (error) {
    return { folder, fault: error.message.split('\n')[0] };
  }
}
