const { existsSync, readFileSync, writeFileSync } = require('node:fs');
const { join } = require('node:path');

/**
 * Loads for a mutant only the suites that have a test which reaches it. Stryker's runner names those tests by a pattern,
 * and Jest would load every suite to find them. Which suite has which is noted in the first run, of all tests.
 */
module.exports = class MutationSequencer {
  #testNamePattern;
  /** In the copy of the code that mutants are tested in, and gone with it. */
  #namesFile;

  constructor({ globalConfig: { rootDir, testNamePattern } }) {
    this.#testNamePattern = testNamePattern;
    this.#namesFile = join(rootDir, 'test-names.json');
  }

  sort(suites) {
    if (!this.#testNamePattern || !existsSync(this.#namesFile)) return suites;
    const namesBySuite = JSON.parse(readFileSync(this.#namesFile, 'utf8'));
    const pattern = new RegExp(this.#testNamePattern, 'i');
    return suites.filter(({ path }) => namesBySuite[path]?.some((name) => pattern.test(name)));
  }

  cacheResults(_, { testResults }) {
    if (existsSync(this.#namesFile)) return;
    const entries = testResults.map((suite) => [suite.testFilePath, suite.testResults.map(({ fullName }) => fullName)]);
    writeFileSync(this.#namesFile, JSON.stringify(Object.fromEntries(entries)));
  }
};
