import { debateTournament } from '../debate-tournament';
import { expertPanel } from '../expert-panel';
import { saying, stopsOf } from './stop-row';

/** Points of view, as everybody’s reader sees them. */
const LENSES = 'umpire.cast.0.name0 umpire.cast.0.name1 umpire.cast.0.name2';

export const EXPERT_STOPS = stopsOf(expertPanel, 3, [
  {
    rule: 'no new dissent: it ends',
    rounds: 4,
    ends: saying('DISSENT: none'),
    waves: [1, 3, 3, 1],
    sees: `ash.revise.2 birch.revise.2 cedar.revise.2 ${LENSES}`,
  },
  {
    rule: 'one of three dissents anew: it goes on',
    rounds: 3,
    ends: saying('DISSENT: new', ['cedar'], 'DISSENT: none'),
    waves: [1, 3, 3, 3, 1],
    sees: `ash.revise.3 birch.revise.3 cedar.revise.3 ${LENSES}`,
  },
  {
    rule: 'two do not dissent and the third fails: it goes on',
    rounds: 3,
    ends: ({ does, round }) => (does === 'revise' ? `DISSENT: ${round === 2 ? 'none' : 'new'}` : undefined),
    silent: ['cedar.2'],
    waves: [1, 3, 3, 3, 1],
    sees: `ash.revise.3 birch.revise.3 cedar.revise.3 ${LENSES}`,
  },
]);

const VERDICTS =
  'umpire.analyse.0.first umpire.analyse.0.first.point umpire.analyse.0.second umpire.analyse.0.second.point';

export const DEBATE_STOPS = stopsOf(debateTournament, 3, [
  {
    rule: 'both speakers of a side concede: it ends, and nothing is left to judge',
    rounds: 4,
    ends: saying('STANCE: concedes', ['ash', 'cedar'], 'STANCE: holds'),
    waves: [1, 2, 3, 1],
    sees: 'ash.revise.2 birch.revise.2 cedar.revise.2',
  },
  {
    rule: 'one of two speakers of a side concedes: it goes on',
    rounds: 3,
    ends: saying('STANCE: concedes', ['cedar'], 'STANCE: holds'),
    waves: [1, 2, 3, 3, 2, 1],
    sees: `ash.revise.3 birch.revise.3 cedar.revise.3 ${VERDICTS}`,
  },
  {
    rule: 'one speaker of a side concedes and the other fails: it goes on',
    rounds: 3,
    ends: ({ who, does, round }) =>
      does === 'revise' ? `STANCE: ${round === 2 && who === 'ash' ? 'concedes' : 'holds'}` : undefined,
    silent: ['cedar.2'],
    waves: [1, 2, 3, 3, 2, 1],
    sees: `ash.revise.3 birch.revise.3 cedar.revise.3 ${VERDICTS}`,
  },
  {
    rule: 'both sides concede: it ends, and the arbiter judges',
    rounds: 4,
    ends: saying('STANCE: concedes'),
    waves: [1, 2, 3, 2, 1],
    sees: `ash.revise.2 birch.revise.2 cedar.revise.2 ${VERDICTS}`,
  },
  {
    rule: 'nobody changes a statement: it ends, and the arbiter judges',
    rounds: 4,
    ends: saying('REVISION: kept; STANCE: holds'),
    waves: [1, 2, 3, 2, 1],
    sees: `ash.draft.1 birch.draft.1 cedar.draft.1 ${VERDICTS}`,
  },
]);
