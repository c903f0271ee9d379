// What a start does not load. This esbuild plugin leaves each of these packages to a file of its own beside the bundle, which
// is read where it is first asked for: the SDKs alone would be two thirds of what a start reads (docs/performance.md).
const FILES = {
  '@anthropic-ai/sdk': 'sdk-anthropic',
  openai: 'sdk-openai',
  '@google/genai/web': 'sdk-google',
  '@google-cloud/firestore': 'sdk-firestore',
  re2js: 'check-regex',
  'tinyld/light': 'check-language',
};

/** All of them as entry points, by the name of their file. */
export const LAZY_ENTRIES = Object.fromEntries(Object.entries(FILES).map(([name, file]) => [file, name]));

const ADMIN = 'lazy-admin';

export const lazyPackages = {
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
