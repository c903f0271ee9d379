import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Means of limiting the memory of a program. */
export interface MemoryLimit {
  /** In words, for whoever reads the test's output. */
  readonly means: string;
  /** A command that becomes the program it is given, within the limit. */
  readonly launcher: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** To be called when the program has ended. */
  remove(): void;
}

/**
 * The best limit that this machine has: a control group of our own (version 2 or 1), or where there is none only the heap
 * that Node would take in such a container; the peak must then be looked at.
 */
export function memoryLimit(mib: number): MemoryLimit {
  return (
    controlGroup('/sys/fs/cgroup', 'memory.max', mib) ??
    controlGroup('/sys/fs/cgroup/memory', 'memory.limit_in_bytes', mib) ?? {
      means: 'no memory limit on this machine: the heap is limited, and the peak is watched',
      launcher: [],
      env: { NODE_OPTIONS: `--max-old-space-size=${mib / 2}` },
      remove: () => undefined,
    }
  );
}

function controlGroup(root: string, limitFile: string, mib: number): MemoryLimit | undefined {
  const group = join(root, `ensemble-${process.pid}`);
  try {
    if (!existsSync(join(root, 'cgroup.procs'))) return undefined;
    mkdirSync(group);
    writeFileSync(join(group, limitFile), String(mib * 1024 * 1024));
    // A child of the shell shows whether it can be joined.
    const joining = ['/bin/sh', '-c', `echo $$ > ${group}/cgroup.procs && exec "$@"`, 'sh'];
    execFileSync(joining[0] ?? '', [...joining.slice(1), 'true'], { stdio: 'ignore' });
    return { means: `a control group of ${mib} MiB`, launcher: joining, env: {}, remove: () => removeGroup(group) };
  } catch {
    removeGroup(group);
    return undefined;
  }
}

function removeGroup(group: string): void {
  try {
    if (readFileSync(join(group, 'cgroup.procs'), 'utf8').trim() === '') rmdirSync(group);
  } catch {
    // It was never made.
  }
}
