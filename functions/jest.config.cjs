const { existsSync, statfsSync } = require('node:fs');
const { availableParallelism } = require('node:os');
const { resolve } = require('node:path');

const MEMORY_DISK = '/dev/shm';
const SPACE_BYTES = 2 ** 30;

// Stores wait for their disk with every commit, which is half of the time some suites take: one in memory does not.
if (!process.env.TMPDIR && existsSync(MEMORY_DISK)) {
  const { bavail, bsize } = statfsSync(MEMORY_DISK);
  if (bavail * bsize >= SPACE_BYTES) process.env.TMPDIR = MEMORY_DISK;
}

const swcOf = (jsc) => [
  require.resolve('@swc/jest'),
  { jsc: { target: 'es2024', ...jsc }, module: { type: 'commonjs' } },
];
const swc = swcOf({ parser: { syntax: 'typescript' } });
const swcOfPages = swcOf({
  parser: { syntax: 'typescript', tsx: true },
  transform: { react: { runtime: 'automatic' } },
});

const shared = {
  testEnvironment: 'node',
  testMatch: ['**/*.test.ts'],
  // What a suite’s context else looks up by a call each time: most of the time of loops over numbers.
  sandboxInjectedGlobals: ['Array', 'JSON', 'Math', 'Number', 'Object', 'String'],
  // These are published as ES modules only; jest's own module system wants CommonJS.
  transform: {
    '^.+\\.ts$': swc,
    '^.+\\.tsx$': swcOfPages,
    '(?:commander|eventsource-parser|jose|marked|string-width|get-east-asian-width|strip-ansi|ansi-regex)/.+\\.js$':
      swc,
    '@google/genai/.+\\.mjs$': swc,
  },
  transformIgnorePatterns: [
    '/node_modules/(?!commander/|eventsource-parser/|jose/|marked/|string-width/|get-east-asian-width/|strip-ansi/|ansi-regex/|@google/genai/)',
  ],
};
const DASHBOARD = resolve(__dirname, '../dashboard');
const BUILD = `${__dirname}/test/support/build.cjs`;

/** Suites of `npm run test:long`, by the project that the others of their folder belong to. */
const LONG = {
  whole: [
    '/test/(?:container|proof|self-hosting)/',
    '/test/ensemble/(?:hostile-replies|injection-wall|order-balance|visibility)\\.',
    '/test/providers/(?:failed-calls-heap|hostile-models|proxies)\\.',
  ],
  built: ['/test/scripts/', '/test/function/(?!function\\.|npm-start|serve|start-up|docs|exports\\.)'],
  quality: ['/quality/test/study-(?:command|coverage)\\.'],
  pages: ['/test/pages/(?!accessibility|play\\.)'],
};

const WHOLE = { ...shared, roots: ['<rootDir>/test'], globalSetup: BUILD };
/** These run what is in lib/. */
const BUILT_ROOTS = ['<rootDir>/test/function', '<rootDir>/test/scripts'];
const BUILT = { ...shared, roots: BUILT_ROOTS, globalSetup: BUILD };
/** The pages of the dashboard in a browser, as they are built in dashboard/dist/. */
const PAGES = { ...shared, rootDir: DASHBOARD, roots: ['<rootDir>/test/pages'], globalSetup: BUILD };

/** The package that asks the service over HTTP. */
const QUALITY = { ...shared, rootDir: resolve(__dirname, '../quality'), roots: ['<rootDir>/test'], globalSetup: BUILD };

/** A project that plays those of its suites alone whose path a pattern matches. */
function only(project, patterns) {
  const { testMatch: _, ...rest } = project;
  return { ...rest, testRegex: patterns.map((pattern) => `${pattern}.*test\\.ts$`) };
}

/** @type {import('jest').Config} */
module.exports = {
  ...shared,
  testTimeout: 30_000,
  testSequencer: `${__dirname}/test/support/longest-first.cjs`,
  // Jest leaves one processor free, so on two it would run one suite after the other.
  maxWorkers: Math.max(2, availableParallelism() - 1),
  // What a suite leaves behind is collected again and again by those after it: such a worker is started anew.
  workerIdleMemoryLimit: '700MB',
  projects: [
    { ...shared, displayName: 'unit', roots: ['<rootDir>/src'] },
    { ...WHOLE, displayName: 'whole', testPathIgnorePatterns: [...BUILT_ROOTS, ...LONG.whole] },
    { ...BUILT, displayName: 'built', testPathIgnorePatterns: LONG.built },
    {
      ...shared,
      displayName: 'dashboard',
      rootDir: DASHBOARD,
      roots: ['<rootDir>/src'],
      moduleNameMapper: { '\\.module\\.css$': `${__dirname}/test/support/css-module.cjs` },
    },
    { ...QUALITY, displayName: 'quality', testPathIgnorePatterns: LONG.quality },
    { ...PAGES, displayName: 'pages', testPathIgnorePatterns: LONG.pages },
    { ...only(WHOLE, LONG.whole), displayName: 'long' },
    { ...only(BUILT, LONG.built), displayName: 'long built' },
    { ...only(PAGES, LONG.pages), displayName: 'long pages' },
    { ...only(QUALITY, LONG.quality), displayName: 'long quality' },
    // The same pages on the Firebase emulators.
    { ...PAGES, displayName: 'hosted', roots: ['<rootDir>/test/hosted'] },
    // Not a test: it makes the images of the documents (`npm run screenshots`).
    ...(process.env.SCREENSHOTS
      ? [{ ...PAGES, displayName: 'screenshots', roots: ['<rootDir>/test/screenshots'] }]
      : []),
  ],
};
