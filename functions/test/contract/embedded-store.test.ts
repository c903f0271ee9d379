import { openEmbeddedStore } from '../../src/store/embedded/embedded-store';
import { temporaryDirectory } from '../support/temporary-directory';
import { storeContract } from './store.contract';

storeContract('the embedded store', async () => {
  const directory = await temporaryDirectory();
  const store = openEmbeddedStore({ directory: directory.path });
  const close = async () => {
    await store.close();
    await directory.remove();
  };
  return { store, close };
});
