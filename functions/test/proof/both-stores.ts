import { openEmbeddedStore } from '../../src/store/embedded/embedded-store';
import { openFirestoreStore } from '../../src/store/firestore/firestore-store';
import type { Store } from '../../src/store/store';
import { describeWithFirestore } from '../support/firestore-emulator';
import { temporaryDirectory } from '../support/temporary-directory';

/** A store with data of its own, which other processes find by its kind and place. */
export interface SharedStore {
  readonly store: Store;
  readonly kind: 'embedded' | 'firestore';
  /** Directory or project. */
  readonly where: string;
  close(): Promise<void>;
}

/** Describes what is proved on the embedded store and on Firestore alike. */
export function describeOnBothStores(title: string, prove: (open: () => Promise<SharedStore>) => void): void {
  describe(`${title} on the embedded store`, () => {
    prove(async () => {
      const directory = await temporaryDirectory();
      const store = openEmbeddedStore({ directory: directory.path });
      const close = async () => {
        await store.close();
        await directory.remove();
      };
      return { store, kind: 'embedded', where: directory.path, close };
    });
  });

  describeWithFirestore(`${title} on Firestore`, (emulator) => {
    prove(async () => {
      const where = emulator.newProject();
      const store = openFirestoreStore({ projectId: where });
      return { store, kind: 'firestore', where, close: () => store.close() };
    });
  });
}
