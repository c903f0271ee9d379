import { openEmbeddedStore } from '../../src/store/embedded/embedded-store';
import { temporaryDirectory } from '../support/temporary-directory';
import { auditContract } from './audit.contract';
import { storeContract } from './store.contract';

const open = async () => {
  const directory = await temporaryDirectory();
  const store = openEmbeddedStore({ directory: directory.path });
  const close = async () => {
    await store.close();
    await directory.remove();
  };
  return { store, close };
};

storeContract('the embedded store', open);

describe('the embedded store keeps the audit contract', () => {
  let opened: Awaited<ReturnType<typeof open>>;
  beforeEach(async () => {
    opened = await open();
  });
  afterEach(() => opened.close());
  auditContract(() => opened.store);
});
