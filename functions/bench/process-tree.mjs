import { execFileSync } from 'node:child_process';

/** The processes that a process has started, and those that these have, at this moment. */
export function processesBelow(pid) {
  const rows = execFileSync('ps', ['-A', '-o', 'ppid=,pid='], { encoding: 'utf8' }).trim().split('\n');
  const pairs = rows.map((row) => row.trim().split(/\s+/).map(Number));
  const below = (parent) => pairs.filter(([of]) => of === parent).flatMap(([, child]) => [child, ...below(child)]);
  return below(pid);
}
