import { fakeClock } from '../../test/support/fake-clock';
import { joinedLines } from './joined-lines';

function setup() {
  const clock = fakeClock();
  const written: string[] = [];
  let exit: (() => void) | undefined;
  const take = joinedLines(
    (lines) => written.push(lines),
    clock,
    (flush) => {
      exit = flush;
    },
  );
  return { clock, take, written, exit: () => exit?.() };
}

describe('lines that are written together', () => {
  it('wait for each other, and leave in their order after 20 ms at the latest', async () => {
    const { clock, take, written } = setup();
    take('one', false);
    await clock.advance(19);
    take('two', false);
    expect(written).toEqual([]);
    await clock.advance(1);
    expect(written).toEqual(['one\ntwo']);
    take('three', false);
    await clock.advance(20);
    expect(written).toEqual(['one\ntwo', 'three']);
  });

  it('leave at once with one that is urgent, and once only', async () => {
    const { clock, take, written } = setup();
    take('one', false);
    take('two', true);
    expect(written).toEqual(['one\ntwo']);
    await clock.advance(1_000);
    expect(written).toEqual(['one\ntwo']);
  });

  it('leave at once when there are 200: no burst is kept in memory', () => {
    const { take, written } = setup();
    for (let line = 0; line < 450; line += 1) take('x', false);
    expect(written.map((lines) => lines.split('\n').length)).toEqual([200, 200]);
  });

  it('leave when the process exits', () => {
    const { take, written, exit } = setup();
    take('last words', false);
    exit();
    expect(written).toEqual(['last words']);
  });
});
