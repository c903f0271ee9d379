import { execFile } from 'node:child_process';
import { symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { temporaryDirectory } from '../../../functions/test/support/temporary-directory';

const PACKAGES = join(__dirname, '../../../functions/node_modules');
const PROGRAMS: Readonly<Record<string, string>> = { mts: process.execPath, sh: 'sh' };

/** Runs a text as the file of this name, beside the packages of npm; resolves with what it printed, rejects if it failed. */
export async function runProgram(name: string, text: string): Promise<string> {
  const directory = await temporaryDirectory();
  try {
    await symlink(PACKAGES, join(directory.path, 'node_modules'));
    await writeFile(join(directory.path, name), text);
    const program = PROGRAMS[name.split('.').at(-1) ?? ''] ?? '';
    const { stdout } = await promisify(execFile)(program, [name], { cwd: directory.path });
    return stdout;
  } finally {
    await directory.remove();
  }
}
