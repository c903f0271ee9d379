import { readFileSync } from 'node:fs';

const LOOK_EVERY_MS = 250;

/**
 * Calls `stop`, once, when npm has died without passing a signal on: at `kill -9`, or with a shell between the two that
 * got the signal in our place. Its children live on, and a server among them would keep its port. Started by anything
 * else, whose end need not be theirs, nothing is watched.
 */
export function endWithParent(stop) {
  if (process.env.npm_lifecycle_event === undefined) return;
  const parent = process.ppid;
  // A shell that npm has put between outlives npm.
  const npm = isShell(parent) ? parentOf(parent) : undefined;
  const timer = setInterval(() => {
    if (process.ppid === parent && (npm === undefined || parentOf(parent) === npm)) return;
    clearInterval(timer);
    stop();
  }, LOOK_EVERY_MS);
  timer.unref();
}

function isShell(pid) {
  return /sh\0-c\0/.test(procFile(pid, 'cmdline'));
}

function parentOf(pid) {
  return /^PPid:\s+(\d+)$/m.exec(procFile(pid, 'status'))?.[1];
}

/** What Linux tells of a process; elsewhere nothing, nor is there a shell between that outlives npm. */
function procFile(pid, name) {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'utf8');
  } catch {
    return '';
  }
}
