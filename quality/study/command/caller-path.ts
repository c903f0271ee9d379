import { resolve } from 'node:path';

/** A path as the caller means it: npm tells where it was called, before it went to the folder of the script. */
export function callerPath(path: string): string {
  return resolve(process.env['INIT_CWD'] ?? process.cwd(), path);
}
