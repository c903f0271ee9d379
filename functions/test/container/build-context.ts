import { readdir, readFile } from 'node:fs/promises';
import { join, matchesGlob } from 'node:path';

/** What a builder is sent of a folder: everything but what its `.dockerignore` leaves out. */
export interface BuildContext {
  /** The files at a path, which is one of them or a folder; relative to the context. */
  readonly filesAt: (path: string) => Promise<string[]>;
}

/** The last pattern that matches a path or one of the folders above it decides, as in Docker. */
export async function readBuildContext(folder: string): Promise<BuildContext> {
  const lines = (await readFile(join(folder, '.dockerignore'), 'utf8')).split('\n').map((line) => line.trim());
  const patterns = lines.filter((line) => line !== '' && !line.startsWith('#'));
  const isSent = (path: string): boolean => {
    const parts = path.split('/');
    const above = parts.map((_, index) => parts.slice(0, index + 1).join('/'));
    const last = patterns.findLast((pattern) => above.some((prefix) => matchesGlob(prefix, pattern.replace(/^!/, ''))));
    return last === undefined || last.startsWith('!');
  };
  return {
    filesAt: async (path) => {
      const files = (await listFiles(folder, path)).filter(isSent);
      if (files.length === 0) throw new Error(`${path} is not in the build context`);
      return files;
    },
  };
}

async function listFiles(folder: string, path: string): Promise<string[]> {
  const entries = await readdir(join(folder, path), { recursive: true, withFileTypes: true }).catch(() => undefined);
  if (entries === undefined) return [path];
  const prefix = join(folder, '/').length;
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name).slice(prefix));
}
