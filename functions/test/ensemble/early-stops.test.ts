import type { CallPurpose } from '../../src/models/model';
import { indiscretions } from './visibility/discretion';
import { RED_BLUE_STOPS } from './visibility/early-stops/attacks';
import { CHAIN_STOPS } from './visibility/early-stops/chains';
import { DEBATE_STOPS, EXPERT_STOPS } from './visibility/early-stops/dissent';
import { HIERARCHICAL_STOPS } from './visibility/early-stops/reviews';
import { COLLABORATIVE_STOPS, COMPETITIVE_STOPS } from './visibility/early-stops/revisions';
import type { StopRow } from './visibility/early-stops/stop-row';
import { actualMatrix } from './visibility/matrix';
import { type ExpectedWave, members, prose, type Setup } from './visibility/setup';
import { startVisibilityApp, type VisibilityApp } from './visibility/visibility-app';

const ROWS: readonly StopRow[] = [
  ...COMPETITIVE_STOPS,
  ...COLLABORATIVE_STOPS,
  ...EXPERT_STOPS,
  ...DEBATE_STOPS,
  ...HIERARCHICAL_STOPS,
  ...CHAIN_STOPS,
  ...RED_BLUE_STOPS,
];

/** Replies that are in a form as a whole; to others the words asked for are added at the end. */
const WHOLE: ReadonlySet<CallPurpose> = new Set(['review', 'attack']);

/** Rounds end early on the models’ own word only. */
describe('early stops', () => {
  let service: VisibilityApp;
  beforeAll(async () => {
    service = await startVisibilityApp();
  });
  afterAll(() => service.app.close());

  it.each(ROWS)('$proof.strategy: $rule', async (row) => {
    const { proof, n, rounds, silent = [] } = row;
    const setup: Setup = { members: members(n), rounds, explained: false, formal: true, silent };
    const { waves, calls, status } = await service.run(proof, setup, {
      waves: planOf(row, proof.waves(setup)),
      speak: (heard) => {
        const end = row.ends(heard);
        if (end === undefined) return undefined;
        return WHOLE.has(heard.does) ? end : `${prose(heard)}\n${end}`;
      },
    });
    expect(status).toBe(200);
    expect(waves.map((wave) => wave.length)).toEqual(row.waves);
    expect(actualMatrix(waves).at(-1)).toEqual([`umpire answer | own:  | sees: ${row.sees}`]);
    expect(calls.flatMap(indiscretions)).toEqual([]);
  });
});

/** Plan with as many calls in a wave as the row says; the arbiter's own waves, last of all, belong to no round. */
function planOf({ sees, waves }: StopRow, full: readonly ExpectedWave[]): ExpectedWave[] {
  const own = sees.includes('umpire.analyse') ? 2 : 1;
  return waves.map((size, index) => ({
    round: index < waves.length - own ? (full[index]?.round ?? 0) : 0,
    calls: Array.from({ length: size }, () => ({ who: 'anybody', does: 'revise' })),
  }));
}
