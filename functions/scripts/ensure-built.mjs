import { spawnSync } from 'node:child_process';
import { isBuilt } from './build-state.mjs';

/**
 * Builds lib/ where it is not what the sources would make, in a process of its own: esbuild would stay in this one for as
 * long as it lives. Ends the program when the build fails, which has then said why.
 */
export function ensureBuilt() {
  if (isBuilt()) return;
  const { status } = spawnSync(process.execPath, ['scripts/build.mjs'], { stdio: ['ignore', 2, 'inherit'] });
  if (status !== 0) process.exit(status ?? 1);
}
