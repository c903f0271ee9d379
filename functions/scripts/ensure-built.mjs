import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { DASHBOARD_BUILD, FUNCTION_BUILD } from './build-state.mjs';

/**
 * Builds lib/ where it is not what the sources would make, in a process of its own: esbuild would stay in this one for as
 * long as it lives. Ends the program when the build fails, which has then said why.
 */
export function ensureBuilt() {
  if (!FUNCTION_BUILD.isBuilt()) runBuild('scripts/build.mjs');
}

/** The same for the pages of the dashboard. */
export function ensurePagesBuilt() {
  if (!DASHBOARD_BUILD.isBuilt()) runBuild('../dashboard/scripts/build.mjs');
}

function runBuild(script) {
  const { status } = spawnSync(process.execPath, [script], { stdio: ['ignore', 2, 'inherit'] });
  if (status !== 0) process.exit(status ?? 1);
}

/**
 * Loads the settings of functions/.env.local and functions/.env as the service does, from its build; what is already set
 * wins. Ends the program with a line for each line of the files that cannot be read.
 */
export function loadSettings() {
  try {
    createRequire(import.meta.url)('../lib/env-files.js').loadLocalEnvironment('.');
  } catch (error) {
    console.error(error.message);
    process.exit(1);
  }
}
