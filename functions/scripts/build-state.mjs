// Whether a build is what its sources would make, by path, size and time of every file that goes in and comes out.
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Of the function: lib/. */
export const FUNCTION_BUILD = buildRecord({
  directory: fileURLToPath(new URL('..', import.meta.url)),
  from: ['src', 'scripts', 'package-lock.json', 'tsconfig.json'],
  made: 'lib',
});

/** Of the dashboard: dist/. */
export const DASHBOARD_BUILD = buildRecord({
  directory: fileURLToPath(new URL('../../dashboard', import.meta.url)),
  from: ['src', 'public', 'index.html', '404.html', 'vite.config.ts', 'package-lock.json'],
  made: 'dist',
});

function buildRecord({ directory, from, made }) {
  // Beside the packages, so that a build does not outlive them.
  const record = join(directory, 'node_modules/.built');
  const fingerprint = () => fingerprintOf([...from, made].flatMap((name) => filesOf(join(directory, name))));
  return {
    isBuilt: () =>
      existsSync(record) && existsSync(join(directory, made)) && readFileSync(record, 'utf8') === fingerprint(),
    /** Before a build: one that breaks off leaves nothing that could be taken for whole. */
    forget: () => rmSync(record, { force: true }),
    remember: () => writeFileSync(record, fingerprint()),
  };
}

function fingerprintOf(files) {
  const hash = createHash('sha256');
  for (const file of files.sort()) {
    const { size, mtimeMs } = statSync(file);
    hash.update(`${file} ${size} ${mtimeMs}\n`);
  }
  return hash.digest('hex');
}

/** A file, or those of a folder; not the tests, of which nothing is built. */
function filesOf(path) {
  if (statSync(path).isFile()) return [path];
  const entries = readdirSync(path, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile() && !entry.name.endsWith('.test.ts'));
  return files.map(({ parentPath, name }) => join(parentPath, name));
}
