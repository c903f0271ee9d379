import { createRequire } from 'node:module';
import { Worker } from 'node:worker_threads';
import { SANDBOX_PROGRAM } from './sandbox-program.ts';

/** A function of a program, and what it is called with, one call after the other. */
export interface ProgramCalls {
  readonly source: string;
  readonly functionName: string;
  /** The arguments of each call; what JSON can hold. */
  readonly calls: readonly (readonly unknown[])[];
}

/** The values of all calls, as JSON; undefined for one that threw or returned what JSON cannot hold. */
export type Returned = readonly (string | undefined)[];

const require = createRequire(import.meta.url);

interface Job extends ProgramCalls {
  readonly done: (returned: Returned | undefined) => void;
}

/** The program ends itself after its own limit; what does not get there, as a single operation that never ends, is ended. */
const LIMITS = {
  programMs: 1_000,
  memoryBytes: 48 * 1024 * 1024,
  stackBytes: 256 * 1024,
  returnedCharactersMax: 200_000,
};
const TIME_MAX_MS = 4_000;
const SOURCE_CHARACTERS_MAX = 100_000;

const waiting: Job[] = [];
let worker: Worker | undefined;
let running: { readonly job: Job; readonly timer: NodeJS.Timeout } | undefined;

/**
 * Runs a program that nobody has read, in an engine of its own that is compiled to WebAssembly: nothing of Node is in
 * it, so there is nothing to escape to. It runs in a thread, which is ended when it takes
 * too long or too much memory. Undefined: it did. Never throws; one program at a time.
 */
export function runProgram(program: ProgramCalls): Promise<Returned | undefined> {
  if (program.source.length > SOURCE_CHARACTERS_MAX) return Promise.resolve(undefined);
  const { promise, resolve } = Promise.withResolvers<Returned | undefined>();
  waiting.push({ ...program, done: resolve });
  runNext();
  return promise;
}

function runNext(): void {
  const job = running ? undefined : waiting.shift();
  if (job === undefined) return;
  const { source, functionName, calls } = job;
  worker ??= startWorker();
  worker.ref();
  running = { job, timer: setTimeout(finish, TIME_MAX_MS) };
  worker.postMessage({ source, functionName, calls: calls.map((call) => call.map((given) => JSON.stringify(given))) });
}

function finish(returned?: Returned): void {
  if (!running) return;
  const { job, timer } = running;
  running = undefined;
  clearTimeout(timer);
  worker?.unref();
  // What has broken once may be broken for the next program too.
  if (returned === undefined) {
    void worker?.terminate();
    worker = undefined;
  }
  job.done(returned);
  runNext();
}

function startWorker(): Worker {
  const thread = new Worker(SANDBOX_PROGRAM, {
    eval: true,
    env: {},
    stdout: true,
    stderr: true,
    workerData: {
      ...LIMITS,
      core: require.resolve('quickjs-emscripten-core'),
      engine: require.resolve('@jitl/quickjs-ng-wasmfile-release-sync'),
    },
    resourceLimits: { maxOldGenerationSizeMb: 128, maxYoungGenerationSizeMb: 16 },
  });
  const finishHere = (returned?: Returned): void => {
    if (thread === worker) finish(returned);
  };
  thread.on('message', finishHere);
  thread.on('error', () => finishHere());
  thread.on('exit', () => finishHere());
  return thread;
}
