import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { type Ended, listening } from '../support/programs';

/** Keeps what a process writes; `ended` resolves once it has ended and its output is complete. */
export function collect(child: ChildProcessWithoutNullStreams) {
  const written = { stdout: '', stderr: '', all: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].on('data', (text) => {
      written[name] += text;
      written.all += text;
    });
  }
  const ended = new Promise<Ended>((resolve) => child.once('close', (code, signal) => resolve({ code, signal })));
  return { output: () => written, ended };
}

/** How long a container may take to start beside everything else that tests have running. */
const PATIENCE_MS = 60_000;

/** Resolves once the port takes connections; a program that ends before is an error that says what it wrote. */
export async function serving(
  port: number,
  child: ChildProcessWithoutNullStreams,
  written: { readonly all: string },
): Promise<void> {
  await listening(port, child, PATIENCE_MS).catch((error: Error) => {
    throw new Error(`${error.message}: ${written.all}`);
  });
}
