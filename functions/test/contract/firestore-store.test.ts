import { systemClock } from '../../src/lib/clock';
import { openFirestoreStore } from '../../src/store/firestore/firestore-store';
import { describeWithFirestore } from '../support/firestore-emulator';
import { storeContract } from './store.contract';

/** Time in which admissions are asked is the tests' own. */
const CLOCK = { ...systemClock, monotonicMs: () => 0 };

describeWithFirestore('Firestore', (emulator) => {
  storeContract('the Firestore store', async () => {
    const store = openFirestoreStore({ projectId: emulator.newProject(), clock: CLOCK });
    return { store, close: () => store.close() };
  });
});
