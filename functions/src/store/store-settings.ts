import { existsSync, realpathSync } from 'node:fs';

/** Store that the settings name. */
export interface StoreChoice {
  readonly store: string;
  readonly dataDirectory: string;
  readonly firestore: { readonly projectId: string; readonly emulatorHost: string };
}

/** The settings that lead to a store, as they are typed in a shell: alike for all programs that use the same one. */
export function storeSettings({ store, dataDirectory, firestore }: StoreChoice): string {
  const settings: Record<string, string> =
    store === 'embedded'
      ? { DATA_DIR: existsSync(dataDirectory) ? realpathSync(dataDirectory) : dataDirectory }
      : { GCLOUD_PROJECT: firestore.projectId, FIRESTORE_EMULATOR_HOST: firestore.emulatorHost };
  const given = [['STORE', store] as const, ...Object.entries(settings)].filter(([, value]) => value !== '');
  return given.map(([name, value]) => `${name}=${shellWord(value)}`).join(' ');
}

/** Firestore takes about one write a second to a document, and each request of a user writes the log of its limiter. */
const FIRESTORE_RPM_MAX = 60;

/** A warning when users may ask more often than Firestore can keep count; empty otherwise. */
export function limitWarning({ store, requestsPerMinute }: { store: string; requestsPerMinute: number }): string {
  if (store === 'embedded' || requestsPerMinute <= FIRESTORE_RPM_MAX) return '';
  return `RATE_LIMIT_RPM=${requestsPerMinute} is more than Firestore is made for: all requests of a user write one document, about once a second at most; beyond ${FIRESTORE_RPM_MAX} a minute they may wait, and fail after 5 s`;
}

function shellWord(text: string): string {
  return /^[\w./:@-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
