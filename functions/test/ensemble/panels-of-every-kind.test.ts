import { PROOFS } from './visibility';
import { collaborativeSynthesis } from './visibility/collaborative-synthesis';
import { competitiveRefinement } from './visibility/competitive-refinement';
import { indiscretions, indiscretionsIfShared } from './visibility/discretion';
import { hierarchical } from './visibility/hierarchical';
import { actualMatrix, expectedMatrix } from './visibility/matrix';
import { members, prose, type Setup } from './visibility/setup';
import { startVisibilityApp, type VisibilityApp } from './visibility/visibility-app';

const MODES = [true, false].map((formal) => ({ formal }));
/** Ash's model holds three seats of five, one of them after another model's. */
const REPEATED = ['ash', 'ash2', 'birch', 'cedar', 'ash3'];
/** The second participant has the arbiter's model. */
const WITH_UMPIRE = ['ash', 'umpire2', 'birch', 'cedar'];

describe('who sees what, whoever sits where', () => {
  let service: VisibilityApp;
  beforeAll(async () => {
    service = await startVisibilityApp();
  });
  afterAll(() => service.app.close());

  const PANELS: readonly { panel: string; seats: readonly string[]; rounds: number }[] = [
    { panel: 'one model in several seats: each seat is somebody of its own', seats: REPEATED, rounds: 4 },
    { panel: 'one model in all seats', seats: ['ash', 'ash2', 'ash3'], rounds: 3 },
    { panel: 'sixteen participants', seats: members(16), rounds: 2 },
    { panel: 'the arbiter is a participant: as one it has no instructions', seats: WITH_UMPIRE, rounds: 3 },
    { panel: 'the arbiter is the only participant', seats: ['umpire2'], rounds: 2 },
  ];

  describe.each(PANELS)('$panel', ({ seats, rounds }) => {
    it.each(PROOFS)('$strategy', async (proof) => {
      for (const { formal } of MODES) {
        const setup: Setup = { members: seats, rounds, explained: true, formal };
        const { waves, calls } = await service.run(proof, setup);
        expect(actualMatrix(waves)).toEqual(expectedMatrix(proof.waves(setup)));
        expect(calls.flatMap(indiscretions)).toEqual([]);
      }
    });
  });

  it.each(PROOFS)('$strategy: shared instructions are followed by writers and quoted to judges', async (proof) => {
    for (const seats of [members(2), members(4)]) {
      const setup: Setup = { members: seats, rounds: 2, explained: true, formal: true };
      const options = { shareSystemPrompt: true };
      const { waves, calls } = await service.run(proof, setup, { options });
      expect(actualMatrix(waves)).toEqual(expectedMatrix(proof.waves(setup)));
      expect(calls.flatMap(indiscretionsIfShared)).toEqual([]);
    }
  });

  const ALONE: Setup = { members: ['umpire2'], rounds: 1, explained: false, formal: true };

  it.each([competitiveRefinement, collaborativeSynthesis])(
    '$strategy of the arbiter alone is one call, instructions and sampling with it',
    async (proof) => {
      const waves = [{ round: 0, calls: [{ who: 'umpire', does: 'answer' }] }] as const;
      const played = await service.run(proof, ALONE, { waves, options: { includeCandidates: true } });
      expect(actualMatrix(played.waves)).toEqual(expectedMatrix(waves));
      expect(played.calls.flatMap(indiscretions)).toEqual([]);
      const [{ message, candidates }] = played.reply.choices;
      expect(candidates?.map(({ response }) => response)).toEqual([message.content]);
      expect(message).not.toHaveProperty('explanation');
    },
  );

  it.each(PROOFS)('$strategy of the arbiter alone is played in full when it is to be explained', async (proof) => {
    const setup: Setup = { ...ALONE, explained: true };
    const { waves } = await service.run(proof, setup);
    expect(actualMatrix(waves)).toEqual(expectedMatrix(proof.waves(setup)));
  });

  it.each(
    members(6)
      .slice(1, -1)
      .map((who, index) => ({ who, number: index + 1 })),
  )('hierarchical: $who does item $number of the plan', async ({ who, number }) => {
    const { calls } = await service.run(hierarchical, { ...ALONE, members: members(6), rounds: 2 });
    const work = calls.filter((call) => call.who === who).map(({ call }) => call.prompt.turns.at(-1)?.text);
    expect(work).toHaveLength(2);
    for (const prompt of work) {
      expect(prompt).toContain(`do item ${number}, completely`);
      expect(prompt).toContain(`${number}. ~ash.plan.0.title${number - 1}~`);
    }
  });

  it('collaborative: a reader with a small window has its own contribution and five others, in each round other ones', async () => {
    const setup: Setup = { members: members(8), rounds: 3, explained: false, formal: false };
    // Eight texts of 20,000 characters are more than the 32,000 tokens that ash's model reads.
    const { waves } = await service.run(collaborativeSynthesis, setup, {
      models: { ash: 'demo-ada' },
      speak: (heard) => (heard.does === 'answer' ? undefined : `${prose(heard)} ${'x'.repeat(20_000)}`),
    });
    const lines = actualMatrix(waves);
    // Behind long texts the message is said again.
    const whole = expectedMatrix(collaborativeSynthesis.waves(setup)).map((wave) =>
      wave.map((line) => (line.endsWith('sees: ') ? line : `${line} user.now`)),
    );
    expect(lines.map((wave) => wave.filter((line) => !line.startsWith('ash ')))).toEqual(
      whole.map((wave) => wave.filter((line) => !line.startsWith('ash '))),
    );
    const read = [1, 2].map((wave) =>
      [...(lines[wave]?.[0] ?? '').matchAll(/(\w+)\.(?:draft|revise)/g)].map(([, who]) => who),
    );
    expect(read.map((authors) => authors.length)).toEqual([6, 6]);
    for (const authors of read) expect(authors).toContain('ash');
    expect(new Set(read.flat())).toEqual(new Set(setup.members));
  });
});
