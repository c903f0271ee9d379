import { openFirestoreStore } from '../../src/store/firestore/firestore-store';
import { describeWithFirestore } from '../support/firestore-emulator';
import { storeContract } from './store.contract';

describeWithFirestore('Firestore', (emulator) => {
  storeContract('the Firestore store', async () => {
    const store = openFirestoreStore({ projectId: emulator.newProject() });
    return { store, close: () => store.close() };
  });
});
