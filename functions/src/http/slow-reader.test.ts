import { once } from 'node:events';
import { fakeClock } from '../../test/support/fake-clock';
import { openResponse } from '../../test/support/serve';
import { closeUnlessTaken } from './slow-reader';

describe('a client that does not take what was written for it', () => {
  it('loses its connection after two minutes', async () => {
    const clock = fakeClock();
    const open = await openResponse();
    closeUnlessTaken(open.res, clock);
    await clock.advance(119_999);
    expect(open.res.destroyed).toBe(false);
    await clock.advance(1);
    expect(open.res.destroyed).toBe(true);
  });

  it('keeps it once the timer is cancelled, which leaves nothing behind', async () => {
    const clock = fakeClock();
    const open = await openResponse();
    const before = open.res.listenerCount('close');
    const cancel = closeUnlessTaken(open.res, clock);
    expect(clock.pending).toBe(1);
    cancel();
    expect([clock.pending, open.res.listenerCount('close')]).toEqual([0, before]);
    await clock.advance(120_000);
    expect(open.res.destroyed).toBe(false);
  });

  it('is not waited for when the reply is over', async () => {
    const clock = fakeClock();
    const open = await openResponse();
    closeUnlessTaken(open.res, clock);
    open.res.end('taken');
    await once(open.res, 'close');
    expect(clock.pending).toBe(0);
  });
});
