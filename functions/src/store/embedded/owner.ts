import { readFileSync, readlinkSync } from 'node:fs';

/**
 * This process under a name that other processes on the machine can check: kernel boot, process namespace, id, start
 * time. Empty where there is no `/proc` (not Linux): then a lease is all that tells when its owner is gone.
 */
export function thisProcess(): string {
  const realm = realmOf();
  const started = startOf(process.pid);
  return realm === undefined || started === undefined ? '' : `${realm} ${process.pid} ${started}`;
}

/**
 * Whether the process of that name has certainly ended. One in another namespace (a container that shares the
 * directory) cannot be judged and counts as alive.
 */
export function hasEnded(owner: string): boolean {
  const [boot, namespace, pid, started] = owner.split(' ');
  const realm = realmOf();
  if (realm === undefined || started === undefined || realm !== `${boot} ${namespace}`) return false;
  return startOf(Number(pid)) !== started;
}

function realmOf(): string | undefined {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    return `${boot} ${readlinkSync('/proc/self/ns/pid')}`;
  } catch {
    return undefined;
  }
}

/** When a process started, in kernel ticks: tells it from a later one with the same id. None for one that has ended. */
function startOf(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name before the last parenthesis may hold anything; then come the state and, as 20th field, the start time.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return fields[0] === 'Z' ? undefined : fields[19];
  } catch {
    return undefined;
  }
}
