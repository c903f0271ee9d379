// Bundles the function and the operator tools into lib/: one file each, so that a cold start reads few files.
import { build } from 'esbuild';
import { lazyAdmin } from './lazy-admin.mjs';

await build({
  entryPoints: { index: 'src/index.ts', admin: 'src/cli/main.ts', seed: 'src/cli/seed.ts' },
  outdir: 'lib',
  bundle: true,
  platform: 'node',
  target: 'node24',
  format: 'cjs',
  // `unpdf` is started in a thread, from its own files.
  external: ['firebase-admin', 'firebase-admin/*', '@google-cloud/functions-framework', 'unpdf'],
  plugins: [lazyAdmin],
  // Not for size: comments outside Latin-1 make V8 keep the whole source at two bytes a character.
  minifyWhitespace: true,
  legalComments: 'none',
  sourcemap: 'linked',
  logLevel: 'warning',
});
