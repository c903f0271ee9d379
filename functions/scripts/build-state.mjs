// Whether lib/ is what the sources would make, by path, size and time of every file that goes in and comes out.
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Beside the packages, so that a build does not outlive them. */
const RECORD = 'node_modules/.built';
const FOLDERS = ['src', 'scripts', 'lib'];
const FILES = ['package-lock.json', 'tsconfig.json'];

export function isBuilt() {
  return existsSync(RECORD) && existsSync('lib') && readFileSync(RECORD, 'utf8') === fingerprint();
}

/** Before a build: one that breaks off leaves nothing that could be taken for whole. */
export function forgetBuild() {
  rmSync(RECORD, { force: true });
}

export function rememberBuild() {
  writeFileSync(RECORD, fingerprint());
}

function fingerprint() {
  const hash = createHash('sha256');
  for (const file of [...FILES, ...FOLDERS.flatMap(filesIn)].sort()) {
    const { size, mtimeMs } = statSync(file);
    hash.update(`${file} ${size} ${mtimeMs}\n`);
  }
  return hash.digest('hex');
}

/** Not the tests, of which nothing is built. */
function filesIn(folder) {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile() && !entry.name.endsWith('.test.ts'));
  return files.map(({ parentPath, name }) => join(parentPath, name));
}
