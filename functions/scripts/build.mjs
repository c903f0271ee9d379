// Bundles the function and the operator tools into lib/: one file each, so that a cold start reads few files.
import { rm } from 'node:fs/promises';
import { build } from 'esbuild';

await rm('lib', { recursive: true, force: true });
await build({
  entryPoints: { index: 'src/index.ts', admin: 'src/cli/main.ts', seed: 'src/cli/seed.ts' },
  outdir: 'lib',
  bundle: true,
  platform: 'node',
  target: 'node24',
  format: 'cjs',
  // Kept out of the bundle: firebase-admin is loaded by the platform's own code only.
  external: ['firebase-admin', 'firebase-admin/*', '@google-cloud/functions-framework'],
  legalComments: 'none',
  sourcemap: 'linked',
  logLevel: 'warning',
});
