// Compares ensembles with single models (docs/quality.md). The command is TypeScript, made into one file on each start.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, stop } from 'esbuild';

const FUNCTIONS = fileURLToPath(new URL('..', import.meta.url));
process.chdir(FUNCTIONS);
// Beside the packages, where they are found from.
const cache = join(FUNCTIONS, 'node_modules', '.cache');
mkdirSync(cache, { recursive: true });
const directory = mkdtempSync(join(cache, 'quality-'));
const outfile = join(directory, 'quality.cjs');
await build({
  absWorkingDir: FUNCTIONS,
  entryPoints: ['quality/study/command/main.ts'],
  outfile,
  bundle: true,
  platform: 'node',
  target: 'node24',
  packages: 'external',
  logLevel: 'warning',
});
// It would stay in this process for as long as that lives.
await stop();
try {
  createRequire(import.meta.url)(outfile);
} finally {
  // It is in memory.
  rmSync(directory, { recursive: true, force: true });
}
