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
  setupFilesAfterEnv: [`${__dirname}/test/support/unsubscribe-after-suite.ts`],
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
const BUILT = ['<rootDir>/test/function', '<rootDir>/test/scripts'];

/** The pages of the dashboard in a browser, as they are built in dashboard/dist/. */
const PAGES = {
  ...shared,
  displayName: 'pages',
  rootDir: DASHBOARD,
  roots: ['<rootDir>/test/pages'],
  globalSetup: `${__dirname}/test/support/build.cjs`,
};

/** @type {import('jest').Config} */
module.exports = {
  ...shared,
  testTimeout: 30_000,
  // Jest leaves one processor free, so on two it would run one suite after the other, in 17 minutes instead of 7.
  maxWorkers: Math.max(2, availableParallelism() - 1),
  // What a suite leaves behind is collected again and again by those after it: such a worker is started anew.
  workerIdleMemoryLimit: '700MB',
  projects: [
    { ...shared, displayName: 'unit', roots: ['<rootDir>/src'] },
    {
      ...shared,
      displayName: 'whole',
      roots: ['<rootDir>/test'],
      testPathIgnorePatterns: BUILT,
      globalSetup: '<rootDir>/test/support/build.cjs',
    },
    // These run what is in lib/.
    {
      ...shared,
      displayName: 'dashboard',
      rootDir: DASHBOARD,
      roots: ['<rootDir>/src'],
      moduleNameMapper: { '\\.module\\.css$': `${__dirname}/test/support/css-module.cjs` },
    },
    PAGES,
    // The same pages on the Firebase emulators.
    { ...PAGES, displayName: 'hosted', roots: ['<rootDir>/test/hosted'] },
    // Not a test: it makes the images of the documents (`npm run screenshots`).
    ...(process.env.SCREENSHOTS
      ? [{ ...PAGES, displayName: 'screenshots', roots: ['<rootDir>/test/screenshots'] }]
      : []),
    { ...shared, displayName: 'built', roots: BUILT, globalSetup: '<rootDir>/test/support/build.cjs' },
  ],
};
