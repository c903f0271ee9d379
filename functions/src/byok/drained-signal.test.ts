import { getEventListeners } from 'node:events';
import { fakeClock } from '../../test/support/fake-clock';
import { drainedSignal } from './drained-signal';

function scene() {
  const [run, client, process] = [new AbortController(), new AbortController(), new AbortController()];
  const clock = fakeClock();
  const departure = { clock, clientGone: client.signal, stopping: process.signal };
  const signal = AbortSignal.any([run.signal, client.signal, process.signal]);
  return { run, client, process, clock, departure, signal, drained: drainedSignal(signal, departure) };
}

describe('the signal of a call', () => {
  it('goes on for two seconds when the client has left', async () => {
    const { client, clock, drained } = scene();
    client.abort();
    await clock.advance(1_999);
    expect(drained.signal.aborted).toBe(false);
    await clock.advance(1);
    expect(drained.signal.aborted).toBe(true);
  });

  it('ends at once when the run gives the call up, or the process is to end', () => {
    const [one, other] = [scene(), scene()];
    one.run.abort();
    other.process.abort();
    expect([one.drained.signal.aborted, other.drained.signal.aborted]).toEqual([true, true]);
  });

  it('keeps no process that is to end', () => {
    const { client, process, drained } = scene();
    client.abort();
    process.abort();
    expect(drained.signal.aborted).toBe(true);
  });

  it('is over where the run was over before', () => {
    const { clock, departure, run } = scene();
    run.abort();
    expect(drainedSignal(run.signal, departure).signal.aborted).toBe(true);
    expect(clock.pending).toBe(0);
  });

  it('leaves nothing behind when it ends, whatever ended it', async () => {
    for (const how of ['end', 'abort', 'process', 'time'] as const) {
      const { client, process, clock, drained, signal } = scene();
      client.abort();
      if (how === 'process') process.abort();
      else if (how === 'time') await clock.advance(2_000);
      else drained[how]();
      const listeners = [signal, process.signal].map((each) => getEventListeners(each, 'abort').length);
      // The joined signal of the scene follows the process's.
      expect([how, clock.pending, ...listeners]).toEqual([how, 0, 0, 0]);
    }
  });

  it('leaves no timer behind for a call that is over', async () => {
    const { client, clock, drained } = scene();
    client.abort();
    drained.end();
    await clock.advance(2_000);
    expect(drained.signal.aborted).toBe(false);
  });
});
