import { readFileSync, readlinkSync } from 'node:fs';

/**
 * A running process under a name that others on the machine can check: kernel boot, process namespace, id, and start
 * time, which tells it from a later one with the same id. Undefined when it has ended, or without `/proc` (not Linux).
 */
export function processName(pid: number): string | undefined {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    const namespace = readlinkSync('/proc/self/ns/pid');
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The program's name before the last parenthesis may hold anything; state and, as 20th field, start time follow.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return fields[0] === 'Z' ? undefined : `${boot} ${namespace} ${pid} ${fields[19]}`;
  } catch {
    return undefined;
  }
}

/** True if a process has certainly ended; one in another namespace (a container) cannot be judged and has not. */
export function hasEnded(name: string): boolean {
  const [boot, namespace, pid] = name.split(' ');
  const isHere = processName(process.pid)?.startsWith(`${boot} ${namespace} `) ?? false;
  return isHere && processName(Number(pid)) !== name;
}
