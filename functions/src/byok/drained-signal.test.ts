import { fakeClock } from '../../test/support/fake-clock';
import { drainedSignal } from './drained-signal';

function scene() {
  const [run, client, process] = [new AbortController(), new AbortController(), new AbortController()];
  const clock = fakeClock();
  const departure = { clock, clientGone: client.signal, stopping: process.signal };
  const signal = AbortSignal.any([run.signal, client.signal, process.signal]);
  return { run, client, process, clock, drained: drainedSignal(signal, departure) };
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

  it('leaves no timer behind for a call that is over', async () => {
    const { client, clock, drained } = scene();
    client.abort();
    drained.end();
    await clock.advance(2_000);
    expect(drained.signal.aborted).toBe(false);
  });
});
