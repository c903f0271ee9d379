// The SDKs would be two thirds of what a start reads, for calls that may never come. This esbuild plugin leaves
// each to a file of its own beside the bundle, which the first call loads: a third of the CPU time of a cold start and
// 10 MB (docs/adr/0030). Firestore's is loaded where it is the store (docs/adr/0051).
const SDKS = {
  '@anthropic-ai/sdk': 'sdk-anthropic',
  '@google/genai/web': 'sdk-google',
  '@google-cloud/firestore': 'sdk-firestore',
};
/** Likewise what few requests need: an engine for patterns, and what tells languages apart (docs/adr/0046). */
const CHECKS = { re2js: 'check-regex', 'tinyld/light': 'check-language' };
const LAZY = { ...SDKS, ...CHECKS };

/** All of them as entry points, by the name of their file. */
export const LAZY_ENTRIES = Object.fromEntries(Object.entries(LAZY).map(([name, file]) => [file, name]));

export const lazySdks = {
  name: 'lazy-sdks',
  setup(build) {
    build.onResolve({ filter: /^[^.]/ }, ({ path, kind }) =>
      ['dynamic-import', 'require-call'].includes(kind) && path in LAZY
        ? { path: `./${LAZY[path]}.js`, external: true }
        : undefined,
    );
  },
};
