import { existsSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryDirectory } from '../../test/support/temporary-directory';
import { makeDirectory } from './make-directory';

describe('makeDirectory', () => {
  let root: Awaited<ReturnType<typeof temporaryDirectory>>;
  beforeEach(async () => {
    root = await temporaryDirectory();
  });
  afterEach(() => root.remove());

  it('makes what is missing on the way, for its owner only', () => {
    makeDirectory(join(root.path, 'a', 'b'));
    for (const made of ['a', join('a', 'b')]) {
      const { mode } = statSync(join(root.path, made));
      expect(mode & 0o777).toBe(0o700);
    }
  });

  it('leaves alone what is there', () => {
    mkdirSync(join(root.path, 'a'), { mode: 0o755 });
    makeDirectory(join(root.path, 'a'));
    expect(statSync(join(root.path, 'a')).mode & 0o777).toBe(0o755);
  });

  it('says why it cannot: a file on the way', () => {
    writeFileSync(join(root.path, 'file'), '');
    expect(() => makeDirectory(join(root.path, 'file', 'below'))).toThrow('ENOTDIR');
  });

  it.each([['/proc/ensemble'], ['/proc/ensemble/below']])('ends at once at %s, which no directory can have', (path) => {
    if (existsSync('/proc/self')) expect(() => makeDirectory(path)).toThrow('ENOENT');
  });
});
