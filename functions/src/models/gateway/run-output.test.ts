import { fakeClock } from '../../../test/support/fake-clock';
import { outputBounds } from '../../../test/support/request-scope';
import { ByteBudget } from '../../lib/byte-budget';
import { RunOutput } from './run-output';

const KIB = 1024;
/** Held in steps of 16 KiB, two bytes a character. */
const STEP_CHARACTERS = 8 * KIB;

/** A run of a user, whose calls are cut by name. */
function startRun(memory: ByteBudget, userId: string) {
  const cut: string[] = [];
  const output = new RunOutput({ ...outputBounds(), memory }, userId);
  const begin = (name: string) => output.begin(() => cut.push(name));
  return { output, begin, cut };
}

describe('what the models of a run have written', () => {
  it('is cut where the run’s user would hold more than stays free: its largest call first', () => {
    const { begin, cut } = startRun(new ByteBudget(128 * KIB), 'ann');
    const [small, large] = [begin('small'), begin('large')];
    large.grow(3 * STEP_CHARACTERS);
    small.grow(STEP_CHARACTERS);
    expect(cut).toEqual([]);
    small.grow(STEP_CHARACTERS + 1);
    expect(cut).toEqual(['large']);
    small.grow(4 * STEP_CHARACTERS);
    expect(cut).toEqual(['large']);
    small.grow(4 * STEP_CHARACTERS + 1);
    expect(cut).toEqual(['large', 'small']);
  });

  it('is never cut for another user, who finds room however much others have', () => {
    const budget = new ByteBudget(1_024 * KIB);
    const hoarder = startRun(budget, 'ann');
    for (let call = 0; call < 16; call += 1) hoarder.begin(`${call}`).grow(100 * STEP_CHARACTERS);
    const bystander = startRun(budget, 'bob');
    bystander.begin('answer').grow(2 * STEP_CHARACTERS);
    expect(bystander.cut).toEqual([]);
  });

  it('is let go at once for a call that failed, and of the others when the run is over', () => {
    const budget = new ByteBudget(128 * KIB);
    const { output, begin } = startRun(budget, 'ann');
    const [failed, answered, running] = [begin('failed'), begin('answered'), begin('running')];
    for (const call of [failed, answered, running]) call.grow(STEP_CHARACTERS);
    expect(budget.hasRoomFor('bob', 40 * KIB + 1)).toBe(false);
    failed.end(false);
    failed.end(false);
    answered.end(true);
    expect([budget.hasRoomFor('bob', 48 * KIB), budget.hasRoomFor('bob', 48 * KIB + 1)]).toEqual([true, false]);
    output.release();
    output.release();
    expect([budget.hasRoomFor('bob', 64 * KIB), budget.hasRoomFor('bob', 64 * KIB + 1)]).toEqual([true, false]);
  });

  it('of a call that is over is not cut, nor does it grow', () => {
    const { begin, cut } = startRun(new ByteBudget(128 * KIB), 'ann');
    const [over, running] = [begin('over'), begin('running')];
    over.grow(3 * STEP_CHARACTERS);
    over.end(true);
    over.grow(100 * STEP_CHARACTERS);
    running.grow(2 * STEP_CHARACTERS);
    expect(cut).toEqual(['running']);
  });
});

it('is read at 8 Mi characters a second beyond the length of an answer, each owner as much as the others', async () => {
  const clock = fakeClock();
  const bounds = outputBounds(undefined, clock);
  const steps = { ann: 0, bob: 0 };
  const read = async (owner: keyof typeof steps): Promise<void> => {
    const call = new RunOutput(bounds, owner).begin(() => undefined);
    expect(call.paced(64 * KIB - 1)).toBeUndefined();
    for (let step = 1; ; step += 1) {
      await call.paced(step * 64 * KIB);
      steps[owner] += 1;
    }
  };
  for (const owner of ['ann', 'ann', 'bob'] as const) void read(owner);
  // A step takes 7.8 ms, and timers know whole ones; the first is read at once.
  await clock.advance(100 * 8);
  expect(steps.ann + steps.bob).toBe(101);
  expect(Math.abs(steps.ann - steps.bob)).toBeLessThanOrEqual(2);
});
