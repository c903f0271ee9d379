/*
 * Mutation testing: each small change to the code must make a test fail. `npm run mutation -- guard` tests one area,
 * without a name all of them, one after the other; what survives is printed.
 */
const API = ['test/api/*.test.ts', 'test/contract/embedded-store.test.ts'];

/** What is changed in an area, and the tests that must notice. */
const AREAS = {
  scoring: { mutate: ['src/evaluation/scoring.ts'], tests: ['src/evaluation/scoring*.test.ts'] },
  guard: { mutate: ['src/guard/**/*.ts'], tests: ['src/guard/*.test.ts', ...API] },
  usage: { mutate: ['src/usage/**/*.ts'], tests: ['src/usage/*.test.ts', ...API] },
  runs: { mutate: ['src/runs/**/*.ts'], tests: ['src/runs/*.test.ts', ...API] },
  byok: {
    mutate: ['src/byok/**/*.ts'],
    tests: ['src/byok/*.test.ts', 'src/endpoints/playground/*.test.ts', 'test/contract/embedded-store.test.ts'],
  },
  http: { mutate: ['src/http/**/*.ts'], tests: ['src/http/*.test.ts', ...API] },
};
export const AREA_NAMES = Object.keys(AREAS);

const { mutate, tests } = AREAS[process.env.MUTATION_AREA ?? 'scoring'];

/** @type {import('@stryker-mutator/api/core').PartialStrykerOptions} */
export default {
  mutate: [...mutate, '!src/**/*.test.ts'],
  ignorePatterns: ['**', '!src/**', '!test/**', '!jest.config.cjs', '!package.json'],
  testRunner: 'jest',
  coverageAnalysis: 'perTest',
  jest: {
    configFile: 'jest.config.cjs',
    config: {
      projects: [],
      roots: ['<rootDir>/src', '<rootDir>/test'],
      testMatch: tests.map((pattern) => `<rootDir>/${pattern}`),
      // These read the documents, which are not copied.
      testPathIgnorePatterns: ['documented'],
      setupFiles: ['<rootDir>/test/support/mutation-properties.ts'],
    },
    enableFindRelatedTests: false,
  },
  timeoutMS: 60_000,
  concurrency: 2,
  reporters: ['clear-text', 'progress'],
  clearTextReporter: { allowColor: false, logTests: false, reportTests: false },
  thresholds: { high: 100, low: 90, break: 90 },
};
