import { join } from 'node:path';
import { build } from 'esbuild';
import { temporaryDirectory } from './temporary-directory';
import { startWorker, type WorkerProcess } from './worker-process';

const FUNCTIONS = join(__dirname, '..', '..');

/** Processes of one worker program on the emulator of the current suite. */
export interface WorkerPool {
  /** Starts one: `node program <emulator host> ...args`. Killed after its test at the latest. */
  start(...args: readonly string[]): WorkerProcess;
}

/**
 * The workers of a suite: `entry` (a file of `test/support`) is bundled once, its npm packages are taken from
 * `node_modules`. What Node compiles is kept between the processes, or starting them would take most of the time.
 */
export function workerPool(entry: string): WorkerPool {
  let scratch: Awaited<ReturnType<typeof temporaryDirectory>>;
  let script = '';
  const workers: WorkerProcess[] = [];
  beforeAll(async () => {
    scratch = await temporaryDirectory();
    script = join(scratch.path, 'worker.js');
    const modules = JSON.stringify(join(FUNCTIONS, 'node_modules'));
    const cache = JSON.stringify(join(scratch.path, 'compiled'));
    await build({
      entryPoints: [join(__dirname, entry)],
      outfile: script,
      bundle: true,
      packages: 'external',
      // Node resolves `import()` without `module.paths`.
      supported: { 'dynamic-import': false },
      platform: 'node',
      format: 'cjs',
      logLevel: 'error',
      banner: { js: `module.paths.push(${modules}); require('node:module').enableCompileCache(${cache});` },
    });
  });
  afterEach(async () => {
    for (const worker of workers) worker.kill();
    await Promise.all(workers.splice(0).map(({ ended }) => ended));
  });
  afterAll(() => scratch.remove());
  return {
    start: (...args) => {
      const host = process.env['FIRESTORE_EMULATOR_HOST'] ?? '';
      const worker = startWorker(script, [host, ...args]);
      workers.push(worker);
      return worker;
    },
  };
}
