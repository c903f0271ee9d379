import { allOrStop } from './run-context';

describe('calls that run side by side', () => {
  it('are waited for, and give what they give in their order', async () => {
    const stop = jest.fn();
    const slow = new Promise<string>((resolve) => setImmediate(() => resolve('slow')));
    expect(await allOrStop([slow, Promise.resolve('fast')], stop)).toEqual(['slow', 'fast']);
    expect(stop).not.toHaveBeenCalled();
  });

  it('are all stopped when one rejects, and waited for before its error is passed on', async () => {
    const broken = new Error('the ledger cannot be kept');
    const other = Promise.withResolvers<string>();
    const events: string[] = [];
    const stop = (): void => {
      events.push('stopped');
      setImmediate(() => {
        events.push('ended');
        other.reject(new Error('aborted'));
      });
    };
    await expect(allOrStop([other.promise, Promise.reject(broken)], stop)).rejects.toBe(broken);
    expect(events).toEqual(['stopped', 'ended']);
  });
});
