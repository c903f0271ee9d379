// The providers' SDKs would be two thirds of what a start reads, for calls that may never come. This esbuild plugin leaves
// each to a file of its own beside the bundle, which the first call loads: a third of the CPU time of a cold start and
// 10 MB (docs/adr/0030).
const SDKS = { '@anthropic-ai/sdk': 'sdk-anthropic', '@google/genai/web': 'sdk-google' };

/** The SDKs as entry points, by the name of their file. */
export const SDK_ENTRIES = Object.fromEntries(Object.entries(SDKS).map(([name, file]) => [file, name]));

export const lazySdks = {
  name: 'lazy-sdks',
  setup(build) {
    build.onResolve({ filter: /^[^.]/ }, ({ path, kind }) =>
      kind === 'dynamic-import' && path in SDKS ? { path: `./${SDKS[path]}.js`, external: true } : undefined,
    );
  },
};
