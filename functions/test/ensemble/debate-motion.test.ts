import type { ProviderCall } from '../../src/models/model';
import { fakeClock } from '../support/fake-clock';
import { askedOf, playRun, requestId, shownTo } from '../support/played-run';
import { failing, type Script } from '../support/scripted-models';

/** A debate has one motion, and a side that gives in has nothing more to be judged. */

const PANEL = ['ash', 'birch', 'cedar', 'dogwood'];
const OPINION: Readonly<Record<string, string>> = { ash: 'YES', birch: 'NO', cedar: 'PERHAPS', dogwood: 'NO' };

/** Those on a side take up what it has opened with; left alone, everybody says what they think. */
const debaters =
  (stances: Readonly<Record<string, string>> = {}): Script =>
  (call) => {
    const { providerModel: who, purpose } = call;
    if (purpose === 'analyse') return { text: '{"winner": "A", "rationale": "So it is."}' };
    if (purpose === 'answer') return { text: 'It is so.' };
    if (purpose === 'revise') return { text: `${OPINION[who]} still\nSTANCE: ${stances[who] ?? 'holds'}` };
    const [motion] = shownTo(call);
    return { text: motion && /second that answer/.test(askedOf(call)) ? `${motion.text} indeed` : `${OPINION[who]}` };
  };

const play = (script: Script, rounds: number) =>
  playRun({ id: requestId('motion'), strategy: 'debate_tournament', models: PANEL, rounds, script });

function draftsIn(calls: readonly ProviderCall[]): string[] {
  const drafts = calls.filter(({ purpose }) => purpose === 'draft');
  return drafts.map((call) => `${call.providerModel} sees ${shownTo(call).map(({ text }) => text)}`);
}

describe('debate_tournament', () => {
  it('regression: the proposition is for one motion, that of its first speaker', async () => {
    const { calls, candidates } = await play(debaters(), 1);
    expect(draftsIn(calls)).toEqual(['ash sees ', 'cedar sees YES', 'birch sees YES', 'dogwood sees YES']);
    expect(candidates.map(({ response }) => response)).toEqual(['YES', 'NO', 'YES indeed', 'NO']);
  });

  it.each([
    { side: 'proposition', other: 'opposition', gives: ['ash', 'cedar'] },
    { side: 'opposition', other: 'proposition', gives: ['birch', 'dogwood'] },
  ])('regression: the $side concedes, also in the last round: both verdict calls are saved', async (row) => {
    const stances = Object.fromEntries(row.gives.map((who) => [who, 'concedes']));
    const { calls, explanation, degraded } = await play(debaters(stances), 2);
    expect(calls.filter(({ purpose }) => purpose === 'analyse')).toEqual([]);
    expect(explanation).toMatch(new RegExp(`^The ${row.other} wins: the ${row.side} concedes\\.`));
    const answer = calls.filter(({ purpose }) => purpose === 'answer').map(askedOf);
    expect(answer.join()).toContain(`The ${row.side} has conceded that the ${row.other} is right`);
    expect(degraded).toEqual([]);
  });
});

describe('a proposition that does not open in time', () => {
  const SIDES = ['ash', 'birch', 'cedar', 'dogwood', 'elm', 'fir', 'ginkgo', 'holly'];
  const PROPOSITION = SIDES.filter((_, index) => index % 2 === 0);
  const HOUR_MS = 3_600_000;
  /** Time of a model for its first word, and the grace of slow ones once others have answered. */
  const TIMEOUT_MS = 120_000;
  const GRACE_MS = 60_000;

  /** Those named never say a word; `delayMs` of others. */
  async function playSlowly(silent: readonly string[], rounds = 2, delayMs = 1_000) {
    const clock = fakeClock();
    const startedMs = clock.nowMs();
    const askedAtMs: Record<string, number[]> = {};
    let answeredAtMs = 0;
    const script: Script = (call) => {
      const { providerModel: who, purpose } = call;
      const atMs = clock.nowMs() - startedMs;
      if (purpose === 'draft') askedAtMs[who] = [...(askedAtMs[who] ?? []), atMs];
      if (purpose === 'answer') answeredAtMs = atMs;
      if (silent.includes(who)) return { text: 'Too late.', delayMs: HOUR_MS };
      return { ...debaters()(call), delayMs };
    };
    const options = { id: requestId('slow'), strategy: 'debate_tournament', models: SIDES, rounds } as const;
    const played = await clock.settle(playRun({ ...options, script, clock }), HOUR_MS);
    return { ...played, askedAtMs, answeredAtMs };
  }

  it('regression: is waited for once, not speaker by speaker: the opposition answers', async () => {
    const { ok, answer, answeredAtMs, candidates } = await playSlowly(PROPOSITION);
    expect([ok, answer]).toEqual([true, 'It is so.']);
    expect(candidates.map(({ modelId }) => modelId)).toEqual(['birch', 'dogwood', 'fir', 'holly']);
    // Two seconds for two waves of the quick, at most.
    expect(answeredAtMs).toBeLessThanOrEqual(TIMEOUT_MS + GRACE_MS + 2_000);
  });

  it.each([1, 2, 5])(
    'all others are asked at once, and debate if they are for both sides: %d rounds',
    async (rounds) => {
      const { askedAtMs, candidates, degraded, answeredAtMs } = await playSlowly(['ash'], rounds);
      const [failedAtMs = 0] = askedAtMs['birch'] ?? [];
      expect(failedAtMs).toBeLessThanOrEqual(TIMEOUT_MS + 1_000);
      const others = SIDES.slice(1).map((who) => askedAtMs[who]);
      expect(others).toEqual(others.map(() => [failedAtMs]));
      expect(candidates.map(({ modelId, part }) => `${modelId} ${part}`)).toEqual(
        SIDES.slice(1).map((who) => `${who} ${PROPOSITION.includes(who) ? 'proposition' : 'opposition'}`),
      );
      expect(degraded).toEqual([
        expect.stringMatching(/^ash did not answer in round 1/),
        'The proposition did not open in time: everybody else answered at once, without a common motion',
      ]);
      expect(answeredAtMs).toBeLessThanOrEqual(TIMEOUT_MS + (rounds + 2) * 1_000);
    },
  );

  it('whoever fails at once costs no time: the next speaker opens, and the others speak to its motion', async () => {
    const clock = fakeClock();
    const script: Script = (call) =>
      ['ash', 'cedar', 'elm'].includes(call.providerModel) ? failing('server') : debaters()(call);
    const { calls, degraded } = await clock.settle(
      playRun({ id: requestId('quick'), strategy: 'debate_tournament', models: SIDES, rounds: 1, script, clock }),
      HOUR_MS,
    );
    const drafts = draftsIn(calls).filter((line) => !/^(?:ash|cedar|elm) /.test(line));
    expect(drafts).toEqual([
      'ginkgo sees ',
      ...['birch', 'dogwood', 'fir', 'holly'].map((who) => `${who} sees undefined`),
    ]);
    expect(degraded).not.toContainEqual(expect.stringContaining('without a common motion'));
  });
});
