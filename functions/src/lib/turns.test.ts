import { fakeClock } from '../../test/support/fake-clock';
import { Turns } from './turns';

/** Turns with a rest as long as the piece is large; what is done is noted. */
function startTurns() {
  const clock = fakeClock();
  const turns = new Turns(clock, (_, size) => size);
  const done: string[] = [];
  const bring = (name: string, size: number) => turns.run({ owner: name.charAt(0), size }, () => done.push(name));
  return { clock, turns, done, bring };
}

describe('Turns', () => {
  it('does the next one only after a rest', async () => {
    const { done, bring, clock } = startTurns();
    void bring('a', 30);
    void bring('b', 30);
    await clock.advance(29);
    expect(done).toEqual(['a']);
    await clock.advance(1);
    expect(done).toEqual(['a', 'b']);
    await clock.advance(30);
    void bring('c', 30);
    expect(done).toEqual(['a', 'b', 'c']);
  });

  it('lets owners take turns: a single piece does not wait for all that another has brought', async () => {
    const { done, bring, clock } = startTurns();
    for (const name of ['a1', 'a2', 'a3', 'b1', 'b2', 'c1']) void bring(name, 10);
    await clock.advance(100);
    expect(done).toEqual(['a1', 'a2', 'b1', 'c1', 'a3', 'b2']);
  });

  it('passes on what a piece throws, and goes on', async () => {
    const { done, bring, clock, turns } = startTurns();
    const failing = turns.run({ owner: 'a', size: 10 }, () => {
      throw new Error('broken');
    });
    const next = bring('b', 10);
    await expect(failing).rejects.toThrow('broken');
    await clock.advance(10);
    await next;
    expect(done).toEqual(['b']);
  });
});
