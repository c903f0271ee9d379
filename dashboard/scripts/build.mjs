// Builds dist/, unless it is what the sources would make.
import { fileURLToPath } from 'node:url';
import { DASHBOARD_BUILD, gzipCopies } from '../../functions/scripts/builds.mjs';

if (!DASHBOARD_BUILD.isBuilt()) await buildOnce();

async function buildOnce() {
  // Jest sets `test`, with which React would be built for development, and deployed so if nothing changed since.
  process.env.NODE_ENV = 'production';
  const { build } = await import('vite');
  DASHBOARD_BUILD.forget();
  // Under tests it is another one, with which React would be built for its developers, and slow.
  process.env.NODE_ENV = 'production';
  await build({ root: fileURLToPath(new URL('..', import.meta.url)), logLevel: 'warn' });
  gzipCopies(fileURLToPath(new URL('../dist/', import.meta.url)));
  DASHBOARD_BUILD.remember();
}
