import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { during } from '../../../test/support/during';
import { fakeClock } from '../../../test/support/fake-clock';
import { temporaryDirectory } from '../../../test/support/temporary-directory';
import { localKeyRing, localPepper } from './local-secrets';

describe('secrets kept beside the embedded store', () => {
  const directory = during('each', temporaryDirectory);

  it('are made once, 32 random bytes each, and found again', async () => {
    const clock = fakeClock();
    const made = [localPepper(directory.path, clock), localKeyRing(directory.path, clock)];
    expect([localPepper(directory.path, clock), localKeyRing(directory.path, clock)]).toEqual(made);
    const text = await readFile(join(directory.path, 'key-pepper'), 'utf8');
    expect(Buffer.from(text, 'base64url')).toHaveLength(32);
  });

  it.each([
    ['key-pepper', localPepper, 'KEY_PEPPER'],
    ['router-key-secret', localKeyRing, 'ROUTER_KEY_SECRET'],
  ] as const)(
    'a %s that is empty is told by its file, DATA_DIR and the setting to use instead',
    async (name, read, setting) => {
      const file = join(directory.path, name);
      await writeFile(file, '');
      const told = new RegExp(`^${file} .*DATA_DIR.*set ${setting}$`);
      expect(() => read(directory.path, fakeClock())).toThrow(told);
    },
  );

  it.each([
    ['key-pepper', localPepper],
    ['router-key-secret', localKeyRing],
  ] as const)('a %s that cannot be read is told by its file and DATA_DIR', async (name, read) => {
    const file = join(directory.path, name);
    await mkdir(file);
    const told = `Cannot use ${file}: a directory stands in its place. Its directory is set by DATA_DIR`;
    expect(() => read(directory.path, fakeClock())).toThrow(told);
  });
});
