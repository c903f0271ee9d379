import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../config';
import { runningServers } from '../store/server-notes';
import { storeSettings } from '../store/store-settings';
import { printable } from './printable';

/** Servers named at most. */
const SERVERS_MAX = 20;

/** Store that a command works on, for people; to be asked before it is opened, for an embedded one is made then. */
export function storeLine({ store, dataDirectory, firestore }: Config): string {
  if (store === 'embedded') {
    const isNew = !existsSync(join(dataDirectory, 'ensemble.db'));
    return `store: embedded, in ${printable(dataDirectory)} (DATA_DIR)${isNew ? ', which is new and empty' : ''}`;
  }
  const place = firestore.emulatorHost === '' ? '' : `, emulator at ${printable(firestore.emulatorHost)}`;
  return `store: Firestore, project ${printable(firestore.projectId)}${place}`;
}

/**
 * A warning when servers of this installation run and none of them uses the store of `config`: keys made there are
 * unknown to them. Empty otherwise.
 */
export async function otherStoreWarning(config: Config, directory: string): Promise<string> {
  const own = storeSettings(config);
  const servers = await runningServers(directory);
  if (servers.length === 0 || servers.some(({ store }) => store === own)) return '';
  const lines = servers
    .slice(0, SERVERS_MAX)
    .flatMap(({ host, port, pid, store }) => [
      `  http://${printable(host.includes(':') ? `[${host}]` : host)}:${port} (process ${pid}); for its store:`,
      `    ${printable(store)} npm run admin -- ...`,
    ]);
  return [
    'warning: the server that is running uses another store, and knows nothing of what is done here:',
    ...lines,
  ].join('\n');
}
