const { join, relative, sep } = require('node:path');
const { default: Sequencer } = require('@jest/test-sequencer');

const ROOT = join(__dirname, '..', '..', '..');

/** The suites that take longest, the longest first. */
const LONGEST = [
  'functions/test/proof/crashes.test.ts',
  'functions/test/proof/linear-readers.test.ts',
  'dashboard/test/hosted/hosted.test.ts',
  'dashboard/test/pages/accessibility.test.ts',
  'functions/test/function/functions-emulator.test.ts',
  'functions/test/proof/answer-guarantee.test.ts',
  'functions/test/ensemble/order-balance.test.ts',
  'functions/test/function/hostile-clients.test.ts',
  'functions/test/proof/faulty-network.test.ts',
  'functions/test/ensemble/visibility.test.ts',
  'functions/test/function/memory.test.ts',
  'functions/test/scripts/deploy.test.ts',
  'functions/test/ensemble/hostile-replies.test.ts',
  'functions/test/ensemble/injection-wall.test.ts',
  'functions/test/proof/skewed-clocks.test.ts',
  'functions/test/providers/failed-calls-heap.test.ts',
  'functions/test/proof/endless-models.test.ts',
  'functions/test/scripts/build.test.ts',
  'functions/test/container/container.test.ts',
  'functions/test/function/npm-start.test.ts',
];

/**
 * Jest starts with the suites that took longest when it last ran them, so that all workers end together. In a fresh clone
 * it knows no times and goes by the size of the files, and one worker may play a long suite while the others have ended.
 */
module.exports = class LongestFirst extends Sequencer {
  sort(tests) {
    const sorted = super.sort(tests);
    // One whose time is known has its place.
    const rankOf = ({ path, duration }) =>
      duration === undefined ? LONGEST.indexOf(relative(ROOT, path).split(sep).join('/')) : -1;
    const first = sorted.filter((test) => rankOf(test) >= 0).sort((a, b) => rankOf(a) - rankOf(b));
    return [...first, ...sorted.filter((test) => !first.includes(test))];
  }
};
module.exports.LONGEST = LONGEST;
