import { collaborativeSynthesis } from '../collaborative-synthesis';
import { competitiveRefinement } from '../competitive-refinement';
import { saying, stopsOf } from './stop-row';

const KEPT = 'REVISION: kept';
const CHANGED = 'REVISION: changed';

export const COMPETITIVE_STOPS = stopsOf(competitiveRefinement, 3, [
  {
    rule: 'all keep their drafts: it ends, and what was said about keeping them is nobody’s draft',
    rounds: 4,
    ends: saying(KEPT),
    waves: [3, 3, 1],
    sees: 'ash.draft.1 birch.draft.1 cedar.draft.1',
  },
  {
    rule: 'one of three changes: it goes on, and kept drafts stay as they were',
    rounds: 4,
    ends: saying(KEPT, ['ash', 'birch'], CHANGED),
    waves: [3, 3, 3, 3, 1],
    sees: 'ash.draft.1 birch.draft.1 cedar.revise.4',
  },
  {
    rule: 'two keep theirs and the third fails: nobody knows what it would have said, so it goes on',
    rounds: 3,
    ends: ({ who, does, round }) => (does === 'revise' ? (round === 2 || who === 'ash' ? KEPT : CHANGED) : undefined),
    silent: ['cedar.2'],
    waves: [3, 3, 3, 1],
    sees: 'ash.draft.1 birch.revise.3 cedar.revise.3',
  },
]);

export const COLLABORATIVE_STOPS = stopsOf(collaborativeSynthesis, 3, [
  {
    rule: 'nobody has anything to add: it ends',
    rounds: 4,
    ends: saying(KEPT),
    waves: [3, 3, 1],
    sees: 'ash.draft.1 birch.draft.1 cedar.draft.1',
  },
  {
    rule: 'one of three adds something: it goes on',
    rounds: 3,
    ends: saying(CHANGED, ['birch'], KEPT),
    waves: [3, 3, 3, 1],
    sees: 'ash.draft.1 birch.revise.3 cedar.draft.1',
  },
  {
    rule: 'two have nothing to add and the third fails: it goes on',
    rounds: 3,
    ends: ({ does, round }) => (does === 'revise' ? (round === 2 ? KEPT : CHANGED) : undefined),
    silent: ['cedar.2'],
    waves: [3, 3, 3, 1],
    sees: 'ash.revise.3 birch.revise.3 cedar.revise.3',
  },
]);
