import { PROOFS } from './visibility';
import { competitiveRefinement } from './visibility/competitive-refinement';
import { debateTournament } from './visibility/debate-tournament';
import { indiscretions } from './visibility/discretion';
import { FAILED_STEPS } from './visibility/failed-steps';
import { crewOf, hierarchical } from './visibility/hierarchical';
import { actualMatrix, expectedMatrix } from './visibility/matrix';
import { redTeamBlueTeam } from './visibility/red-team-blue-team';
import { type ExpectedWave, members, modelIdOf, type Setup, type StrategyProof, token } from './visibility/setup';
import { startVisibilityApp, type VisibilityApp } from './visibility/visibility-app';
import { UMPIRE } from './visibility/wave-models';

const FOUR: Setup = { members: members(4), rounds: 5, explained: true, formal: true };

/** Members that fail, and when: a call of the second and the third member in round 2 is `birch.2`, `cedar.2`. */
const FAILURES: readonly { rule: string; silent: readonly string[]; of: (proof: StrategyProof) => boolean }[] = [
  {
    rule: 'one that fails once keeps its last text, shown to all, and is asked again',
    silent: ['birch.2'],
    of: () => true,
  },
  { rule: 'one that fails twice in a row is not asked again', silent: ['birch.2', 'birch.3'], of: () => true },
  { rule: 'one that fails twice, not in a row, is not asked again', silent: ['cedar.2', 'cedar.4'], of: () => true },
  { rule: 'two fail in the same round', silent: ['birch.2', 'cedar.2'], of: () => true },
  {
    rule: 'one without a first text is nobody further on',
    silent: ['cedar.1'],
    of: (proof) => proof !== redTeamBlueTeam,
  },
  {
    rule: 'a blue without a first text is not attacked',
    silent: ['cedar.0'],
    of: (proof) => proof === redTeamBlueTeam,
  },
  { rule: 'an opposition without a word', silent: ['birch.1', 'dogwood.1'], of: (proof) => proof === debateTournament },
];
const FAILURE_ROWS = FAILURES.flatMap(({ rule, silent, of }) =>
  PROOFS.filter(of).map((proof) => ({ rule, silent, proof })),
);

describe('members that fail', () => {
  let service: VisibilityApp;
  beforeAll(async () => {
    service = await startVisibilityApp();
  });
  afterAll(() => service.app.close());

  it.each(FAILURE_ROWS)('$proof.strategy: $rule', async ({ proof, silent }) => {
    const setup: Setup = { ...FOUR, silent };
    const { waves, calls, reply } = await service.run(proof, setup);
    expect(actualMatrix(waves)).toEqual(expectedMatrix(proof.waves(setup)));
    expect(calls.flatMap(indiscretions)).toEqual([]);
    for (const key of silent) {
      const [who = '', round] = key.split('.');
      const words = `did not answer in round ${Math.max(1, Number(round))} (not found)`;
      expect(reply.degraded).toContain(`${modelIdOf(who)} ${words}`);
    }
  });

  it.each(FAILED_STEPS)('$proof.strategy: $rule', async ({ proof, silent, waves }) => {
    const setup: Setup = { ...FOUR, rounds: 3, explained: false, silent };
    const played = await service.run(proof, setup, { waves });
    expect(played.status).toBe(200);
    expect(actualMatrix(played.waves)).toEqual(expectedMatrix(waves));
    expect(played.calls.flatMap(indiscretions)).toEqual([]);
  });

  it.each(PROOFS)('$strategy: nobody has a first text: no answer, and nobody is asked further', async (proof) => {
    const { strategist, implementers } = crewOf(FOUR.members);
    const everybody = FOUR.members.flatMap((who) => [`${who}.0`, `${who}.1`]);
    const { status, calls } = await service.run(proof, { ...FOUR, silent: everybody });
    // Each fails as a model that its provider does not know.
    expect(status).toBe(400);
    const asked = proof === hierarchical ? [strategist, ...implementers, strategist, 'dogwood'] : FOUR.members;
    expect(
      calls
        .filter(({ who }) => who !== UMPIRE)
        .map(({ who }) => who)
        .sort(),
    ).toEqual([...asked].sort());
  });

  it('no comparison can be read: it is asked for once more, and the answer is written without one', async () => {
    const setup: Setup = { ...FOUR, rounds: 2 };
    const sees = competitiveRefinement.waves(setup).at(-2)?.calls[0]?.sees ?? [];
    const waves: ExpectedWave[] = [
      ...competitiveRefinement.waves(setup).slice(0, -1),
      { round: 0, calls: [{ who: UMPIRE, does: 'analyse', sees: [...sees, 'umpire.analyse.0'] }] },
      { round: 0, calls: [{ who: UMPIRE, does: 'answer', sees }] },
    ];
    const played = await service.run(competitiveRefinement, setup, {
      waves,
      speak: (heard) => (heard.does === 'analyse' ? `None is better. ${token(heard)}` : undefined),
    });
    expect(actualMatrix(played.waves)).toEqual(expectedMatrix(waves));
  });

  it('the arbiter cannot write: a participant does, with the arbiter’s instructions and before the same texts', async () => {
    const setup: Setup = { ...FOUR, rounds: 2 };
    const full = competitiveRefinement.waves(setup);
    const answer = full.at(-1);
    const waves = [...full, ...(answer ? [answer] : [])];
    const { calls, reply } = await service.run(competitiveRefinement, setup, {
      waves,
      speak: ({ who, does }) => (who === UMPIRE && does === 'answer' ? { text: '', fault: 'not_found' } : undefined),
    });
    const [failed, written] = calls.slice(-2);
    expect(failed).toMatchObject({ who: UMPIRE, does: 'answer' });
    expect(FOUR.members).toContain(written?.who);
    expect(written?.call.prompt).toEqual(failed?.call.prompt);
    expect(written?.call.sampling).toEqual(failed?.call.sampling);
    expect(reply.choices[0].message.content).toBe('It is one. ~umpire.answer~');
  });
});
