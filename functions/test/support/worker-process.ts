import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { build } from 'esbuild';

/** Bundles a TypeScript entry for plain `node`. */
export async function bundle(entry: string, outfile: string): Promise<void> {
  await build({ entryPoints: [entry], outfile, bundle: true, platform: 'node', format: 'cjs', logLevel: 'error' });
}

/** A child process that prints lines. */
export interface WorkerProcess {
  /** The lines so far; complete once `ended` has resolved. */
  readonly lines: readonly string[];
  /** Resolves once it has printed `count` lines; rejects when it ends earlier. */
  printed(count: number): Promise<void>;
  send(line: string): void;
  /** Ends it on the spot, as a crash would. */
  kill(): void;
  /** Resolves when it has ended and all it printed was read. */
  readonly ended: Promise<void>;
}

/** Starts `node script ...args`; what it prints to standard error is shown with the test's own output. */
export function startWorker(script: string, args: readonly string[]): WorkerProcess {
  const child: ChildProcess = spawn(process.execPath, [script, ...args], { stdio: ['pipe', 'pipe', 'inherit'] });
  const { stdin, stdout } = child;
  if (!stdin || !stdout) throw new Error('the worker has no pipes');
  const lines: string[] = [];
  const waiting: { count: number; resolve(): void; reject(error: Error): void }[] = [];
  createInterface({ input: stdout }).on('line', (line) => {
    lines.push(line);
    for (const { count, resolve } of waiting) if (lines.length >= count) resolve();
  });
  // A kill may beat the line it is sent.
  stdin.on('error', () => {});
  const ended = once(child, 'close').then(() => {
    for (const { reject } of waiting) reject(new Error(`the worker ended after ${lines.length} lines`));
  });
  return {
    lines,
    printed: (count) =>
      new Promise((resolve, reject) => {
        if (lines.length >= count) resolve();
        else waiting.push({ count, resolve, reject });
      }),
    send: (line) => {
      stdin.write(`${line}\n`);
    },
    kill: () => {
      child.kill('SIGKILL');
    },
    ended,
  };
}
