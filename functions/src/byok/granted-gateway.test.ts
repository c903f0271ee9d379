import { PLATFORM, ROUTER, scene, settled, USED_UP } from '../../test/support/grant-scene';

describe('a granted gateway', () => {
  it('lets calls begin while they and their replies fit the lease', async () => {
    const { steps, asked, call } = scene(2 * 704);
    void call();
    void call();
    await settled();
    expect([steps.length, asked]).toEqual([2, []]);
  });

  it('asks for more when one more does not fit, for all that is under way, and fails it when there is no more', async () => {
    const { steps, asked, call } = scene(704);
    void call();
    expect(await call()).toEqual(USED_UP);
    expect([steps.length, asked]).toEqual([1, [1_408]]);
  });

  it('goes on with what it was given more, and asks once for several that come at the same time', async () => {
    const { steps, asked, call } = scene(704, () => Promise.resolve(true));
    for (let count = 0; count < 4; count += 1) void call();
    await settled();
    expect([steps.length, asked]).toEqual([4, [4 * 704]]);
  });

  it('counts a finished call for what it took, reported or else by its text', async () => {
    const { steps, asked, call } = scene(1_000);
    const first = call();
    await settled();
    steps[0]?.answer({ promptTokens: 90, completionTokens: 10 });
    await first;
    const second = call();
    await settled();
    steps[1]?.answer('y'.repeat(40));
    await second;
    // 100 and 104 + 10 are gone: 704 more fit, 705 would not.
    void call();
    await settled();
    expect([steps.length, asked]).toEqual([3, []]);
    expect(await call()).toEqual(USED_UP);
    expect(asked).toEqual([100 + 114 + 2 * 704]);
  });

  it('asks for more before the next call when one took far more than was thought', async () => {
    const { steps, asked, call } = scene(3_000);
    const first = call();
    await settled();
    steps[0]?.answer({ promptTokens: 5_000, completionTokens: 20_000 });
    await first;
    expect(await call()).toEqual(USED_UP);
    expect(asked).toEqual([25_704]);
  });

  it('does not hold a call that was refused against the next, but one that was cut off', async () => {
    const { steps, asked, call } = scene(704);
    for (const fault of ['overloaded', 'unauthorized', 'timeout'] as const) {
      const ended = call();
      await settled();
      steps.at(-1)?.fail(fault);
      await ended;
    }
    expect([steps.length, asked]).toEqual([3, []]);
    expect(await call()).toEqual(USED_UP);
    expect(asked).toEqual([104 + 704]);
  });

  it('counts a call that was refused after it had said something, or after its prompt was told of', async () => {
    const { steps, asked, call } = scene(5_000);
    const first = call();
    await settled();
    steps[0]?.write(40);
    steps[0]?.fail('overloaded');
    await first;
    const second = call();
    await settled();
    steps[1]?.fail('overloaded', { completionTokens: 5 });
    await second;
    for (let count = 0; count < 6; count += 1) void call();
    expect(await call()).toEqual(USED_UP);
    // 104 and 10 for the first, 104 and 5 for the second.
    expect(asked).toEqual([114 + 109 + 7 * 704]);
  });

  it('does not count a call that it did not let begin', async () => {
    const { asked, call } = scene(704);
    void call();
    for (let count = 0; count < 2; count += 1) expect(await call()).toEqual(USED_UP);
    expect(asked).toEqual([1_408, 1_408]);
  });

  it('gives results as they are where the grant has nothing to do with them', async () => {
    const { steps, call } = scene(2 * 704);
    const [good, bad] = [call(), call()];
    await settled();
    steps[0]?.answer('fine');
    steps[1]?.fail('overloaded');
    expect(await good).toEqual({ ok: true, text: 'fine', finishReason: 'stop' });
    expect(await bad).toEqual({ ok: false, fault: 'overloaded', cause: undefined, streamed: false });
  });

  it('lets an answer stand that was complete when the grant ran out', async () => {
    const { steps, call } = scene(704);
    const ended = call();
    await settled();
    steps[0]?.write(2_404);
    steps[0]?.answer('y'.repeat(2_404));
    expect(await ended).toMatchObject({ ok: true });
  });

  it('asks once for what comes at the same time', async () => {
    const { steps, asked, call } = scene(704);
    void call();
    await settled();
    for (let count = 0; count < 3; count += 1) steps[0]?.write(2_404);
    await settled();
    // 104 and 1,803, with an ordinary reply more and without.
    expect(asked).toEqual([1_907 + 600, 1_907]);
  });

  it('tells the provider how much the grant has left for it, and never more than any model can write', async () => {
    const left = scene(5_000, undefined, 3_000);
    void left.call();
    void left.call();
    await settled();
    // 3,000 less a prompt of 104 and what the other one is counted for, 704.
    expect(left.steps.map(({ outputTokensMax }) => outputTokensMax)).toEqual([2_192, 2_192]);
    const plenty = scene(5_000);
    void plenty.call(ROUTER);
    void plenty.call();
    await settled();
    expect(plenty.steps.map(({ outputTokensMax }) => outputTokensMax)).toEqual([undefined, 16_000]);
    // What the caller's cap leaves may be less.
    const capped = scene(5_000);
    void capped.call(PLATFORM, { outputTokensMax: 1_200 });
    await settled();
    expect(capped.steps.map(({ outputTokensMax }) => outputTokensMax)).toEqual([1_200]);
  });

  it('lets router calls pass, whatever is left', async () => {
    const { steps, asked, call } = scene(0);
    void call(ROUTER);
    await settled();
    expect([steps.map(({ model }) => model.id), asked]).toEqual([['o/m'], []]);
  });

  it('rejects when the store cannot be asked', async () => {
    const { call } = scene(0, () => Promise.reject(new Error('the store is down')));
    await expect(call()).rejects.toThrow('the store is down');
  });
});
