import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { build } from 'esbuild';
import { temporaryDirectory } from './temporary-directory';

const MODULES = join(__dirname, '..', '..', 'node_modules');

/** A child process that prints lines. */
export type WorkerProcess = ReturnType<typeof startWorker>;

/**
 * The workers of a suite: the TypeScript file `entry` is bundled once, its npm packages are taken from `node_modules`.
 * `nodeOptions` are Node's own, such as a limit on the heap.
 * What Node compiles is kept between the processes, or starting them would take most of the time.
 */
export function workerPool(entry: string, nodeOptions: readonly string[] = []) {
  let scratch: Awaited<ReturnType<typeof temporaryDirectory>>;
  let script = '';
  const workers: WorkerProcess[] = [];
  beforeAll(async () => {
    scratch = await temporaryDirectory();
    script = join(scratch.path, 'worker.js');
    const cache = join(scratch.path, 'compiled');
    const [modules, compiled] = [MODULES, cache].map((path) => JSON.stringify(path));
    await build({
      entryPoints: [entry],
      outfile: script,
      bundle: true,
      packages: 'external',
      // Node resolves `import()` without `module.paths`.
      supported: { 'dynamic-import': false },
      platform: 'node',
      format: 'cjs',
      logLevel: 'error',
      banner: { js: `module.paths.push(${modules}); require('node:module').enableCompileCache(${compiled});` },
    });
  });
  afterEach(async () => {
    for (const worker of workers) worker.kill();
    await Promise.all(workers.splice(0).map(({ ended }) => ended));
  });
  afterAll(() => scratch.remove());
  return {
    /** Starts one: `node program <emulator host> ...args`. Killed after its test at the latest. */
    start: (...args: readonly string[]): WorkerProcess => {
      const worker = startWorker(nodeOptions, script, [process.env['FIRESTORE_EMULATOR_HOST'] ?? '', ...args]);
      workers.push(worker);
      return worker;
    },
  };
}

/** Starts a worker. Its standard error is shown with the test's own output. */
function startWorker(nodeOptions: readonly string[], script: string, args: readonly string[]) {
  const child = spawn(process.execPath, [...nodeOptions, script, ...args], { stdio: ['pipe', 'pipe', 'inherit'] });
  const lines: string[] = [];
  const waiting: { count: number; resolve(): void; reject(error: Error): void }[] = [];
  createInterface({ input: child.stdout }).on('line', (line) => {
    lines.push(line);
    for (const { count, resolve } of waiting) if (lines.length >= count) resolve();
  });
  // A kill may beat the line it is sent.
  child.stdin.on('error', () => {});
  const ended = once(child, 'close').then(() => {
    for (const { reject } of waiting) reject(new Error(`the worker ended after ${lines.length} lines`));
  });
  return {
    /** The lines so far; complete once `ended` has resolved. */
    lines,
    /** Resolves once it has printed `count` lines; rejects when it ends earlier. */
    printed: (count: number) =>
      new Promise<void>((resolve, reject) => {
        if (lines.length >= count) resolve();
        else waiting.push({ count, resolve, reject });
      }),
    send: (line: string) => {
      child.stdin.write(`${line}\n`);
    },
    /** Ends it on the spot, as a crash would. */
    kill: () => {
      child.kill('SIGKILL');
    },
    /** Resolves when it has ended and all it printed was read. */
    ended,
  };
}
