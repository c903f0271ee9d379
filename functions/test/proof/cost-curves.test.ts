import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { isLongMode } from '../support/long-mode';

/*
 * What a request takes per participant, round and turn of its history does not grow with their number, nor does what it
 * takes at all with what the store holds: the curves of `npm run bench -- --only curves`, of which the memory that is
 * taken is counted. Minutes, so in long mode only; what the store reads is in `query-plans.test.ts`.
 */

const FUNCTIONS = join(__dirname, '..', '..');
/** Of pages of the heap, and of what a process makes at times of its own. */
const TOLERANCE = 1.2;

(isLongMode ? describe : describe.skip)('what a request takes', () => {
  it('is no more for each of many than for each of few', () => {
    const args = [join(FUNCTIONS, 'bench', 'scale', 'curves', 'print-growths.mjs')];
    const growths: Record<string, number> = JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8' }));
    expect(Object.keys(growths)).toEqual(['participants', 'rounds', 'history', 'users', 'months', 'ledger']);
    expect(Object.entries(growths).filter(([, growth]) => !(growth > 0 && growth <= TOLERANCE))).toEqual([]);
  }, 1_800_000);
});
