import { existsSync, realpathSync } from 'node:fs';

/** Which store there is, as the settings say it. */
interface StoreChoice {
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

function shellWord(text: string): string {
  return /^[\w./:@-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
