import { existsSync, mkdirSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

/**
 * Makes a directory and those above it that are missing, for their owner only. Throws the system's error where that cannot
 * be: `recursive` of Node's own `mkdirSync` tries for ever below a directory that takes none, such as `/proc`.
 */
export function makeDirectory(path: string): void {
  const missing: string[] = [];
  for (let directory = resolve(path); !existsSync(directory); directory = dirname(directory))
    missing.unshift(directory);
  for (const directory of missing) makeOne(directory);
}

function makeOne(directory: string): void {
  try {
    mkdirSync(directory, { mode: 0o700 });
  } catch (error) {
    // Another process was quicker.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}
