import { recorded } from '../../../test/support/recorded-run';
import { applyEvent } from '../../run/apply-event';
import { NO_RUN } from '../../run/run-state';
import { announcements } from './announcements';

describe('what readers of the screen are told of a run', () => {
  it('is each change of its state, and no text of a model', () => {
    let state = NO_RUN;
    const told = recorded().flatMap((event) => {
      const before = state;
      state = applyEvent(state, event);
      return announcements(before, state);
    });
    expect(told).toEqual([
      'Round 1 of 2: drafts',
      'Curie: failed, not found',
      'Ada is done, 5 words',
      'Blaise is done, 4 words',
      'Round 2 of 2: revisions',
      'Ada is done, 7 words',
      'Blaise: cut off, too slow',
      'answer',
      'The answer is being written',
      'The run is complete',
    ]);
  });
});
