import { inTheBench } from '../bench/in-the-bench';
import { isLongMode } from '../support/long-mode';

/*
 * What a request takes per participant, round and turn of its history does not grow with their number, nor does what it
 * takes at all with what the store holds: the curves of `npm run bench -- --only curves`, of which the memory that is
 * taken is counted. Minutes, so in long mode only; what the store reads is in `query-plans.test.ts`.
 */

/** Of pages of the heap, and of what a process makes at times of its own. */
const TOLERANCE = 1.2;

(isLongMode ? describe : describe.skip)('what a request takes', () => {
  it('is no more for each of many than for each of few', () => {
    const growths = inTheBench<
      Record<string, number>
    >(`import { growthsOfMemory } from './bench/scale/curves/curves.mjs';
      import { serverSettings, startUpstream } from './bench/servers.mjs';
      import { stopAll, temporaryDirectory } from './bench/workspace.mjs';
      try {
        const settings = serverSettings(temporaryDirectory(), await startUpstream());
        told(await growthsOfMemory({ settings }));
      } finally {
        await stopAll();
      }`);
    expect(Object.keys(growths)).toEqual(['participants', 'rounds', 'history', 'users', 'months', 'ledger']);
    expect(Object.entries(growths).filter(([, growth]) => !(growth <= TOLERANCE))).toEqual([]);
  }, 900_000);
});
