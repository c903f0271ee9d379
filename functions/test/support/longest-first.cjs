const Sequencer = require('@jest/test-sequencer').default;

/** Suites whose work is not in their size, by which a run without a cache orders them: the last of them would be waited for alone. */
const LONGEST =
  /(?:functions-emulator|readers\/.*|visibility|exact-limit|endless-models|faulty-network|order-balance|study-coverage|accessibility|loading|play-shifts)\.test\.ts$/;

/** The order of suites: Jest's own, but for those that last longest, which come first. */
module.exports = class extends Sequencer {
  sort(tests) {
    const { true: longest = [], false: others = [] } = Object.groupBy(super.sort(tests), ({ path }) =>
      LONGEST.test(path),
    );
    return [...longest, ...others];
  }
};
