// Compares ensembles with single models (docs/quality.md). The command is TypeScript, made into one file on each start.
import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, stop } from 'esbuild';

const FUNCTIONS = fileURLToPath(new URL('..', import.meta.url));
process.chdir(FUNCTIONS);
const directory = mkdtempSync(join(tmpdir(), 'ensemble-quality-'));
const outfile = join(directory, 'quality.cjs');
await build({
  absWorkingDir: FUNCTIONS,
  entryPoints: ['quality/study/command/main.ts'],
  outfile,
  bundle: true,
  platform: 'node',
  target: 'node24',
  external: ['@google-cloud/firestore', 'firebase-admin', 'firebase-admin/*', 'unpdf'],
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
