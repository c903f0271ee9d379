// What the sources make, with a record of each build: path, size and time of every file that goes in and comes out.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';

const COMPRESSED = ['.css', '.html', '.js', '.svg'];
/** Below this a compressed copy saves nothing: its reply fits into one packet anyhow. */
const COMPRESSED_BYTES_MIN = 1_000;

/** The build of the function: lib/. */
export const FUNCTION_BUILD = buildRecord('..', {
  from: ['src', 'scripts', 'package-lock.json', 'tsconfig.json'],
  made: 'lib',
});

/** The build of the dashboard: dist/. */
export const DASHBOARD_BUILD = buildRecord('../../dashboard', {
  from: ['src', 'public', 'scripts', 'index.html', '404.html', 'vite.config.ts', 'package-lock.json'],
  made: 'dist',
});

function buildRecord(folder, { from, made }) {
  const directory = fileURLToPath(new URL(folder, import.meta.url));
  // Beside the packages, so that a build does not outlive them.
  const record = join(directory, 'node_modules/.built');
  const fingerprint = () => {
    const hash = createHash('sha256');
    for (const file of [...from, made].flatMap((name) => filesOf(join(directory, name))).sort()) {
      const { size, mtimeMs } = statSync(file);
      hash.update(`${file} ${size} ${mtimeMs}\n`);
    }
    return hash.digest('hex');
  };
  const isBuilt = () =>
    existsSync(record) && existsSync(join(directory, made)) && readFileSync(record, 'utf8') === fingerprint();
  return {
    isBuilt,
    /** Before a build: one that breaks off leaves nothing that could be taken for whole. */
    forget: () => rmSync(record, { force: true }),
    remember: () => writeFileSync(record, fingerprint()),
    /** Builds what is not there, in a process of its own: a bundler would stay in this one. Ends the program when that fails. */
    ensure() {
      if (isBuilt()) return;
      const script = join(directory, 'scripts/build.mjs');
      const { status } = spawnSync(process.execPath, [script], { stdio: ['ignore', 2, 'inherit'] });
      if (status !== 0) process.exit(status ?? 1);
    },
  };
}

/** A file, or those of a folder without its tests. */
function filesOf(path) {
  if (statSync(path).isFile()) return [path];
  const entries = readdirSync(path, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile() && !entry.name.endsWith('.test.ts'));
  return files.map(({ parentPath, name }) => join(parentPath, name));
}

/** Writes a compressed copy beside each text of a folder, which the server sends to clients that take it. */
export function gzipCopies(folder) {
  for (const path of filesOf(folder)) {
    if (!COMPRESSED.includes(extname(path)) || statSync(path).size < COMPRESSED_BYTES_MIN) continue;
    writeFileSync(`${path}.gz`, gzipSync(readFileSync(path), { level: 9 }));
  }
}

/** Loads functions/.env.local and functions/.env as the built service does; what is already set wins. */
export function loadSettings() {
  try {
    createRequire(import.meta.url)('../lib/env-files.js').loadLocalEnvironment('.');
  } catch (error) {
    console.error(error.message);
    process.exit(1);
  }
}
