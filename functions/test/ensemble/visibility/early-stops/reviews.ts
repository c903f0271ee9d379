import { hierarchical } from '../hierarchical';
import { token } from '../setup';
import type { HeardCall } from '../wave-models';
import { stopsOf } from './stop-row';

const defects = (items: readonly (number | string)[]) => (heard: HeardCall) =>
  JSON.stringify({
    verdict: items.length === 0 ? 'approve' : 'revise',
    defects: items.map((item) => ({ item, severity: 'major', defect: token(heard, `item${item}`) })),
  });
const reviewing =
  (...rounds: readonly (readonly (number | string)[])[]) =>
  (heard: HeardCall): string | undefined =>
    heard.does === 'review' ? defects(rounds[heard.round - 1] ?? [])(heard) : undefined;

const PLAN =
  'ash.plan.0.check ash.plan.0.decision ash.plan.0.task0 ash.plan.0.task1 ash.plan.0.title0 ash.plan.0.title1';

export const HIERARCHICAL_STOPS = stopsOf(hierarchical, 4, [
  {
    rule: 'the reviewer approves: it ends, with no defect left open',
    rounds: 3,
    ends: reviewing([]),
    waves: [1, 2, 1, 1],
    sees: `${PLAN} birch.draft.1 cedar.draft.1`,
  },
  {
    rule: 'one part of two has a defect: only that one is done again, until the reviewer approves',
    rounds: 3,
    ends: reviewing([2], []),
    waves: [1, 2, 1, 1, 1, 1],
    sees: `${PLAN} birch.draft.1 cedar.revise.2`,
  },
  {
    rule: 'what is not approved in the last round is left open to the arbiter',
    rounds: 2,
    ends: reviewing([1, 2], [1]),
    waves: [1, 2, 1, 2, 1, 1],
    sees: `${PLAN} birch.revise.2 cedar.revise.2 dogwood.review.2.item1`,
  },
  {
    rule: 'the only defect is of a part that is not there: nothing is left to correct, so it ends',
    rounds: 3,
    ends: reviewing([9]),
    waves: [1, 2, 1, 1],
    sees: `${PLAN} birch.draft.1 cedar.draft.1 dogwood.review.1.item9`,
  },
]);
