// What is built into lib/ and how: one file for the function and for each of the operator's tools, so that a cold start
// reads few files, and one for each provider's SDK, which the first call loads.
import { cp, mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { lazyAdmin } from './lazy-admin.mjs';
import { LAZY_ENTRIES, lazySdks } from './lazy-sdks.mjs';
import { leanFirestore } from './lean-firestore.mjs';
import { ownPrices } from './own-prices.mjs';

/** The options of esbuild. */
export const BUNDLE = {
  entryPoints: {
    index: 'src/index.ts',
    local: 'src/local.ts',
    admin: 'src/cli/main.ts',
    doctor: 'src/cli/doctor/main.ts',
    probe: 'src/cli/base-url-probe.ts',
    seed: 'src/cli/seed.ts',
    ...LAZY_ENTRIES,
  },
  outdir: 'lib',
  bundle: true,
  platform: 'node',
  target: 'node24',
  format: 'cjs',
  // `unpdf` is started in a thread, from its own files.
  external: ['firebase-admin', 'firebase-admin/*', '@google-cloud/functions-framework', 'unpdf'],
  plugins: [lazyAdmin, lazySdks, leanFirestore, ownPrices],
  // Not for size: comments outside Latin-1 make V8 keep the whole source at two bytes a character.
  minifyWhitespace: true,
  legalComments: 'none',
  sourcemap: 'linked',
  logLevel: 'warning',
};

/** Copies the reference page and its renderer, with its licence; nothing of it is read until somebody opens the page. */
export async function copyPage() {
  const renderer = dirname(fileURLToPath(import.meta.resolve('swagger-ui-dist/package.json')));
  await mkdir('lib/page', { recursive: true });
  await cp('src/endpoints/docs/page', 'lib/page', { recursive: true });
  for (const name of ['swagger-ui.css', 'swagger-ui-bundle.js', 'LICENSE', 'NOTICE']) {
    await cp(join(renderer, name), join('lib/page', name));
  }
}
