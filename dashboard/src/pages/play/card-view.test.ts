import { recorded } from '../../../test/support/recorded-run';
import { applyEvents } from '../../run/apply-event';
import { NO_RUN, type RunState } from '../../run/run-state';
import { consequenceOf, rankingWords, sawWords, textBefore } from './card-view';

const EVENTS = recorded();
const whole = applyEvents(NO_RUN, EVENTS);
const before = (count: number): RunState => applyEvents(NO_RUN, EVENTS.slice(0, count));

function callOf(id: string) {
  const call = whole.calls.get(id);
  if (!call) throw new Error(`no call ${id}`);
  return call;
}

describe('the card of a participant', () => {
  it('says whose texts it was shown, by their labels and their names', () => {
    expect(sawWords(whole, callOf('r2.p1'))).toBe('its own text, Blaise as “A”');
    expect(sawWords(whole, callOf('r1.p1'))).toBe('');
  });

  it('compares a revision with the text that stood before it, and a draft with none', () => {
    expect(textBefore(whole, callOf('r2.p1'))).toBe('A tomato is a fruit.');
    expect(textBefore(whole, callOf('r1.p1'))).toBeUndefined();
  });

  it.each([
    ['p1', 41, undefined],
    ['p2', 41, 'What it wrote in round 1 still counts.'],
    ['p3', 20, 'The others go on without it.'],
    ['p3', 41, 'The answer was made from 2 of 3 participants.'],
  ])('says what it means that %s failed, after %i events: %s', (seat, count, words) => {
    expect(consequenceOf(before(count), seat)).toBe(words);
  });

  it('names those that it has ranked', () => {
    expect(rankingWords(whole, 'r2.p1')).toBe('Blaise');
    expect(rankingWords(whole, 'r1.p1')).toBeUndefined();
  });
});
