const { join, relative, sep } = require('node:path');
const { default: Sequencer } = require('@jest/test-sequencer');

const ROOT = join(__dirname, '..', '..', '..');

/** The suites that take longest, the longest first. */
const LONGEST = [
  'dashboard/test/hosted/hosted.test.ts',
  'functions/test/proof/linear-readers.test.ts',
  'functions/test/proof/crashes.test.ts',
  'dashboard/test/pages/accessibility.test.ts',
  'functions/test/function/functions-emulator.test.ts',
  'functions/test/ensemble/order-balance.test.ts',
  'functions/test/proof/answer-guarantee.test.ts',
  'functions/test/scripts/deploy.test.ts',
  'functions/test/function/memory.test.ts',
  'functions/test/proof/faulty-network.test.ts',
  'functions/test/ensemble/injection-wall.test.ts',
  'functions/test/contract/firestore-store.test.ts',
  'functions/test/ensemble/visibility.test.ts',
  'dashboard/test/pages/play.test.ts',
  'functions/test/contract/firestore-rules.test.ts',
  'functions/test/providers/hostile-models.test.ts',
  'functions/test/function/hostile-clients.test.ts',
  'dashboard/test/pages/runs.test.ts',
  'functions/test/ensemble/hostile-replies.test.ts',
  'dashboard/test/pages/keys-states.test.ts',
  'functions/test/evaluation/faulty-judges.test.ts',
  'functions/test/container/container.test.ts',
  'dashboard/test/pages/usage.test.ts',
  'functions/test/proof/ledger-conservation.test.ts',
  'functions/test/proof/exact-limit.test.ts',
  'functions/test/scripts/admin.test.ts',
  'functions/test/providers/failed-calls-heap.test.ts',
  'functions/test/proof/skewed-clocks.test.ts',
  'dashboard/test/pages/play-tabs.test.ts',
  'functions/test/proof/killed-service.test.ts',
  'functions/test/scripts/doctor.test.ts',
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
