import type { CallPurpose } from '../../src/models/model';
import { playRun, shownTo } from '../support/played-run';
import { PLAIN, type Script } from '../support/scripted-models';
import { indiscretions } from './visibility/discretion';
import { hierarchical } from './visibility/hierarchical';
import { actualMatrix, expectedMatrix } from './visibility/matrix';
import { type ExpectedWave, members, type Setup, selfOf, token } from './visibility/setup';
import { startVisibilityApp, type VisibilityApp } from './visibility/visibility-app';
import { type HeardCall, UMPIRE } from './visibility/wave-models';

/** Ash plans, birch and cedar implement, dogwood reviews. */
const SCENE: Setup = { members: members(4), rounds: 3, explained: false, formal: true };
const planOf = (round: number) =>
  ['check', 'decision', 'task0', 'task1', 'title0', 'title1'].map((part) => `ash.plan.${round}.${part}`);
const OLD = planOf(0);

/** Reviews that find one defect each: of a part by its number, or of the plan itself. */
const finding =
  (...items: readonly (number | 'plan')[]) =>
  (heard: HeardCall): string | undefined => {
    if (heard.does !== 'review') return undefined;
    const defect = `${token(heard, 'found')}, ${selfOf(heard.who)}`;
    return JSON.stringify({
      verdict: 'revise',
      defects: [{ item: items[heard.round - 1], severity: 'major', defect }],
    });
  };

const FIRST_ROUND: readonly ExpectedWave[] = [
  { round: 0, calls: [{ who: 'ash', does: 'plan' }] },
  { round: 1, calls: ['birch', 'cedar'].map((who) => ({ who, does: 'draft', sees: OLD }) as const) },
  { round: 1, calls: [{ who: 'dogwood', does: 'review', sees: [...OLD, 'birch.draft.1', 'cedar.draft.1'] }] },
];

/** A defect of the plan brings the strategist back when a call saved before pays for it (the call formula is a promise). */
describe('hierarchical: a plan at fault', () => {
  let service: VisibilityApp;
  beforeAll(async () => {
    service = await startVisibilityApp();
  });
  afterAll(() => service.app.close());

  it('a saved call pays for a corrected plan, which everybody then works from', async () => {
    const NEW = planOf(3);
    const found = 'dogwood.review.2.found';
    const waves: ExpectedWave[] = [
      ...FIRST_ROUND,
      {
        round: 2,
        calls: [{ who: 'birch', does: 'revise', own: ['birch.draft.1'], sees: [...OLD, 'dogwood.review.1.found'] }],
      },
      { round: 2, calls: [{ who: 'dogwood', does: 'review', sees: [...OLD, 'birch.revise.2', 'cedar.draft.1'] }] },
      { round: 3, calls: [{ who: 'ash', does: 'plan', sees: [...OLD, found] }] },
      {
        round: 3,
        calls: [
          { who: 'birch', does: 'revise', own: ['birch.revise.2'], sees: [...NEW, found] },
          { who: 'cedar', does: 'revise', own: ['cedar.draft.1'], sees: [...NEW, found] },
        ],
      },
      { round: 3, calls: [{ who: 'dogwood', does: 'review', sees: [...NEW, 'birch.revise.3', 'cedar.revise.3'] }] },
      {
        round: 0,
        calls: [
          { who: UMPIRE, does: 'answer', sees: [...NEW, 'birch.revise.3', 'cedar.revise.3', 'dogwood.review.3.found'] },
        ],
      },
    ];
    const { calls, ...played } = await service.run(hierarchical, SCENE, { waves, speak: finding(1, 'plan', 2) });
    expect(actualMatrix(played.waves)).toEqual(expectedMatrix(waves));
    // 2 + r·(max(1, n − 2) + 1) with n = 4 and r = 3: not one more than without the correction.
    expect(calls).toHaveLength(11);
    expect(calls.flatMap(indiscretions)).toEqual([]);
  });

  it('with nothing saved the plan stays, and everybody is told what is wrong with it', async () => {
    const found = 'dogwood.review.1.found';
    const waves: ExpectedWave[] = [
      ...FIRST_ROUND,
      {
        round: 2,
        calls: ['birch', 'cedar'].map(
          (who) => ({ who, does: 'revise', own: [`${who}.draft.1`], sees: [...OLD, found] }) as const,
        ),
      },
      { round: 2, calls: [{ who: 'dogwood', does: 'review', sees: [...OLD, 'birch.revise.2', 'cedar.revise.2'] }] },
      {
        round: 0,
        calls: [
          { who: UMPIRE, does: 'answer', sees: [...OLD, 'birch.revise.2', 'cedar.revise.2', 'dogwood.review.2.found'] },
        ],
      },
    ];
    const { calls, ...played } = await service.run(
      hierarchical,
      { ...SCENE, rounds: 2 },
      { waves, speak: finding('plan', 1) },
    );
    expect(actualMatrix(played.waves)).toEqual(expectedMatrix(waves));
    expect(calls.flatMap(indiscretions)).toEqual([]);
  });

  it('regression: a corrected plan with fewer items leaves no part of the old one in the answer', async () => {
    let plans = 0;
    const fault = { item: 'plan', severity: 'major', defect: 'Two is not needed.' };
    const said: Partial<Record<CallPurpose, () => object>> = {
      plan: () => ({ items: ['one', 'two'].slice(0, 2 - plans++) }),
      review: () => (plans === 1 ? { verdict: 'revise', defects: [fault] } : { verdict: 'approve', defects: [] }),
    };
    const script: Script = (call) => {
      const json = said[call.purpose]?.();
      return json ? { text: JSON.stringify(json) } : PLAIN(call);
    };
    // Three implementers and two items: the third's call is what pays for the correction.
    const { calls, candidates } = await playRun({
      ...{ id: 'fewer', strategy: 'hierarchical', models: members(5), rounds: 2, script },
    });
    expect([plans, candidates.map(({ modelId }) => modelId)]).toEqual([2, ['birch']]);
    const [answer] = calls.filter(({ purpose }) => purpose === 'answer');
    const titles = answer ? shownTo(answer).map(({ title }) => title) : [];
    expect(titles.filter((title) => title.startsWith('part'))).toEqual(['part 1']);
  });
});
