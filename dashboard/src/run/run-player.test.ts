import { recorded } from '../../test/support/recorded-run';
import { applyEvents } from './apply-event';
import { createRunPlayer, type PlayerClock } from './run-player';
import { NO_RUN } from './run-state';
import { createRunStore } from './run-store';

const EVENTS = recorded();
const LENGTH_MS = EVENTS.at(-1)?.atMs ?? 0;

/** A clock that is moved by hand. */
function handClock() {
  let nowMs = 1_000;
  let due: { atMs: number; act: () => void } | undefined;
  const clock: PlayerClock = {
    nowMs: () => nowMs,
    after: (ms, act) => {
      const mine = { atMs: nowMs + ms, act };
      due = mine;
      return () => {
        if (due === mine) due = undefined;
      };
    },
  };
  const pass = (ms: number): void => {
    const endMs = nowMs + ms;
    while (due && due.atMs <= endMs) {
      const { atMs, act } = due;
      due = undefined;
      nowMs = atMs;
      act();
    }
    nowMs = endMs;
  };
  return { clock, pass };
}

function start() {
  const store = createRunStore((tell) => tell());
  store.apply(EVENTS);
  const { clock, pass } = handClock();
  return { store, pass, player: createRunPlayer(EVENTS, store, clock) };
}

const until = (atMs: number) =>
  applyEvents(
    NO_RUN,
    EVENTS.filter((event) => event.atMs <= atMs),
  );

describe('a run that is shown again', () => {
  it('is at each moment what it was then', () => {
    const { store, pass, player } = start();
    player.play('real');
    expect(store.latest()).toEqual(until(0));
    for (let atMs = 250; atMs < LENGTH_MS; atMs += 250) {
      pass(250);
      expect(store.latest()).toEqual(until(Math.floor(atMs / 100) * 100));
    }
  });

  it('takes a tenth of the time when it is fast, and comes to the same end', () => {
    const { store, pass, player } = start();
    player.play('fast');
    pass(LENGTH_MS / 10 - 50);
    expect([player.pace(), store.latest().end]).toEqual(['fast', undefined]);
    pass(100);
    expect([player.pace(), store.latest()]).toEqual([undefined, until(LENGTH_MS)]);
  });

  it('can be taken to its end at once, and begun anew', () => {
    const { store, pass, player } = start();
    player.play('real');
    pass(500);
    player.finish();
    expect([player.pace(), store.latest()]).toEqual([undefined, until(LENGTH_MS)]);
    player.play('real');
    expect(store.latest()).toEqual(until(0));
  });
});
