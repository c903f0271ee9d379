// Bundles the function and the operator tools into lib/: one file each, so that a cold start reads few files, and one for
// each provider's SDK, which the first call loads.
import { cp, mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { lazyAdmin } from './lazy-admin.mjs';
import { lazySdks, SDK_ENTRIES } from './lazy-sdks.mjs';

await build({
  entryPoints: { index: 'src/index.ts', admin: 'src/cli/main.ts', seed: 'src/cli/seed.ts', ...SDK_ENTRIES },
  outdir: 'lib',
  bundle: true,
  platform: 'node',
  target: 'node24',
  format: 'cjs',
  // `unpdf` is started in a thread, from its own files.
  external: ['firebase-admin', 'firebase-admin/*', '@google-cloud/functions-framework', 'unpdf'],
  plugins: [lazyAdmin, lazySdks],
  // Not for size: comments outside Latin-1 make V8 keep the whole source at two bytes a character.
  minifyWhitespace: true,
  legalComments: 'none',
  sourcemap: 'linked',
  logLevel: 'warning',
});

// The reference page and its renderer, with its licence; nothing of it is read until somebody opens the page.
const renderer = dirname(fileURLToPath(import.meta.resolve('swagger-ui-dist/package.json')));
await mkdir('lib/page', { recursive: true });
await cp('src/endpoints/docs/page', 'lib/page', { recursive: true });
for (const name of ['swagger-ui.css', 'swagger-ui-bundle.js', 'LICENSE', 'NOTICE']) {
  await cp(join(renderer, name), join('lib/page', name));
}
