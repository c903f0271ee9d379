// What is built into lib/ and how: one file for the function and for each of the operator's tools, so that a cold start
// reads few files, and one for each provider's SDK, which the first call loads.
import { cp, mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipCopies } from './builds.mjs';

/**
 * Packages that a start does not load, each in a file of its own beside the bundle, which is read where it is first asked for:
 * the SDKs alone would be two thirds of what a start reads (docs/performance.md).
 */
const FILES = {
  '@anthropic-ai/sdk': 'sdk-anthropic',
  openai: 'sdk-openai',
  '@google/genai/web': 'sdk-google',
  '@google-cloud/firestore': 'sdk-firestore',
  '@modelcontextprotocol/server': 'sdk-mcp',
  re2js: 'check-regex',
  'tinyld/light': 'check-language',
};

const ADMIN = 'lazy-admin';

const lazyPackages = {
  name: 'lazy-packages',
  setup(build) {
    build.onResolve({ filter: /^[^.]/ }, ({ path, kind }) =>
      ['dynamic-import', 'require-call'].includes(kind) && path in FILES
        ? { path: `./${FILES[path]}.js`, external: true }
        : undefined,
    );
    // firebase-functions requires all of firebase-admin for features that an HTTPS function does not use: 50 ms of a start.
    build.onResolve({ filter: /^firebase-admin\// }, ({ path, importer }) =>
      /[\\/]firebase-functions[\\/]/.test(importer) ? { path, namespace: ADMIN } : undefined,
    );
    build.onLoad({ filter: /.*/, namespace: ADMIN }, ({ path }) => ({
      contents: `const lazily = new Proxy({}, { get: (_, name) => require('${path}')[name] });
        module.exports = Object.create(lazily, { __esModule: { value: true } });`,
    }));
  },
};

/** The options of esbuild. */
export const BUNDLE = {
  entryPoints: {
    index: 'src/index.ts',
    server: 'src/server.ts',
    admin: 'src/cli/main.ts',
    doctor: 'src/cli/doctor.ts',
    'env-files': 'src/env-files.ts',
    probe: 'src/cli/base-url-probe.ts',
    seed: 'src/cli/seed.ts',
    ...Object.fromEntries(Object.entries(FILES).map(([name, file]) => [file, name])),
  },
  outdir: 'lib',
  bundle: true,
  platform: 'node',
  target: 'node24',
  format: 'cjs',
  // `unpdf` is started in a thread, from its own files.
  external: ['firebase-admin', 'firebase-admin/*', '@google-cloud/functions-framework', 'unpdf'],
  plugins: [lazyPackages],
  minifyWhitespace: true,
  legalComments: 'none',
  sourcemap: 'linked',
  logLevel: 'warning',
};

/** The Firebase CLI asks for the functions on the Node that is on PATH, and would show the stack of what that lacks. */
const REFUSE_OLD_NODE = `if (parseInt(process.versions.node) < 22) {
  const message = 'Deploying needs Node 22 or newer on PATH, and this is Node ' + process.versions.node + '. npm run deploy brings its own.';
  throw Object.assign(new Error(message), { stack: message });
}
`;

/**
 * Adds what is in lib/ besides what esbuild makes: the reference page and its renderer, with its licence, and the entry for the
 * Functions Framework. For a file that ends in `.js` that first finds out whether it is an ES module: 30 ms of a start.
 */
export async function addRest() {
  await writeFile('lib/index.cjs', `${REFUSE_OLD_NODE}module.exports = require('./index.js');\n`);
  const renderer = dirname(fileURLToPath(import.meta.resolve('swagger-ui-dist/package.json')));
  await mkdir('lib/page', { recursive: true });
  await cp('src/api/site/page', 'lib/page', { recursive: true });
  for (const name of ['swagger-ui.css', 'swagger-ui-bundle.js', 'LICENSE', 'NOTICE']) {
    await cp(join(renderer, name), join('lib/page', name));
  }
  gzipCopies('lib/page');
}
