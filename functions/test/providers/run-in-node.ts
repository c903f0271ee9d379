import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { temporaryDirectory } from '../support/temporary-directory';

const run = promisify(execFile);
const ROOT = join(__dirname, '..', '..');

/**
 * Runs a TypeScript program in a Node process of its own, outside jest, which replaces `process` and the module loader.
 * The program's imports are relative to `functions/`; packages are left to Node. Resolves with the JSON it prints.
 */
export async function runInNode(program: string, variables: Record<string, string> = {}): Promise<unknown> {
  const directory = await temporaryDirectory();
  try {
    const entry = join(directory.path, 'entry.ts');
    const bundle = join(directory.path, 'entry.cjs');
    await writeFile(entry, program.replaceAll("from './", `from '${ROOT}/`));
    // The command, not the library: esbuild's library does not run inside jest's realm.
    // Without dynamic imports, what a program loads late shows in `require.cache` like everything else.
    const modules = ['--format=cjs', '--packages=external', '--supported:dynamic-import=false'];
    const options = ['--bundle', '--platform=node', ...modules, `--outfile=${bundle}`];
    await run(join(ROOT, 'node_modules', '.bin', 'esbuild'), [entry, ...options]);
    const env = { ...process.env, NODE_PATH: join(ROOT, 'node_modules'), ...variables };
    const { stdout } = await run(process.execPath, [bundle], { env });
    return JSON.parse(stdout);
  } finally {
    await directory.remove();
  }
}
