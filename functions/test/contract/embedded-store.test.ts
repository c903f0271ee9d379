import { openEmbeddedStore } from '../../src/store/embedded/embedded-store';
import { fakeClock } from '../support/fake-clock';
import { T0 } from '../support/store-records';
import { temporaryDirectory } from '../support/temporary-directory';
import { storeContract } from './store.contract';

storeContract('the embedded store', async () => {
  const directory = await temporaryDirectory();
  const store = openEmbeddedStore({ directory: directory.path, clock: fakeClock(T0) });
  const close = async () => {
    await store.close();
    await directory.remove();
  };
  return { store, close };
});
