/*
 * Mutation testing: each small change to the code must make a test fail. `npm run mutation -- guard` tests one area,
 * without a name all of them, one after the other; what survives is printed.
 */
import { fileURLToPath } from 'node:url';

/** What is changed in an area, and the tests that must notice: those beside it. */
const AREAS = {
  scoring: { mutate: ['src/evaluation/scoring.ts'], tests: ['src/evaluation/scoring*.test.ts'] },
  guard: area('guard'),
  usage: area('usage'),
  runs: area('runs'),
  byok: area('byok'),
  http: area('http'),
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
      testSequencer: fileURLToPath(new URL('scripts/mutation-sequencer.cjs', import.meta.url)),
      watchman: false,
      // A mutant that never answers costs a test, not a process.
      testTimeout: 5_000,
    },
    enableFindRelatedTests: false,
  },
  timeoutMS: 10_000,
  // A second process makes the first one slower, and a mutant that is slow looks like one that hangs.
  concurrency: 1,
  reporters: ['clear-text', 'progress'],
  clearTextReporter: { allowColor: false, logTests: false, reportTests: false },
  thresholds: { high: 100, low: 90, break: 90 },
};

function area(folder) {
  return { mutate: [`src/${folder}/**/*.ts`], tests: [`src/${folder}/*.test.ts`] };
}
