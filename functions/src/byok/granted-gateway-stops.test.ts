import { PLATFORM, scene, settled, USED_UP } from '../../test/support/grant-scene';

describe('a call under way on a grant', () => {
  it('stops only the call that has come to too much, not one that stays within an ordinary reply', async () => {
    const { steps, asked, call } = scene(2 * 704);
    const [long, short] = [call(), call()];
    await settled();
    steps[0]?.write(2_404);
    expect(await long).toEqual(USED_UP);
    steps[1]?.write(2_400);
    await settled();
    expect(asked).toHaveLength(2);
    steps[1]?.answer('fine');
    expect(await short).toMatchObject({ ok: true });
  });

  it('stops a call under way and rejects when the store cannot be asked for it', async () => {
    const { steps, call } = scene(704, () => Promise.reject(new Error('the store is down')));
    const ended = call();
    await settled();
    steps[0]?.write(2_404);
    await expect(ended).rejects.toThrow('the store is down');
    expect(steps[0]?.signal.aborted).toBe(true);
  });

  it('stops a call under way once it has come to more than the grant holds', async () => {
    const { steps, asked, call } = scene(704);
    const ended = call();
    await settled();
    // 104 + 600 tokens were leased for it.
    steps[0]?.write(2_400);
    await settled();
    expect(asked).toEqual([]);
    steps[0]?.write(4);
    await settled();
    expect(await ended).toEqual(USED_UP);
    // An ordinary reply more, or else what it has come to.
    expect(asked).toEqual([705 + 600, 705]);
  });

  it('lets it go on as long as the grant holds more, asking for an ordinary reply at a time', async () => {
    const { steps, asked, call } = scene(704, (tokens) => Promise.resolve(tokens <= 1_400));
    const ended = call();
    await settled();
    for (let written = 0; written < 7; written += 1) {
      steps[0]?.write(800);
      await settled();
    }
    // 104 for the prompt, then 200 at a time: 704 are leased, and from 904 on it asks.
    expect(asked.slice(0, 8)).toEqual([1_504, 904, 1_704, 1_104, 1_904, 1_304, 2_104, 1_504]);
    expect(await ended).toEqual(USED_UP);
  });
});

describe('a granted gateway whose client leaves', () => {
  const ABORTED = { ok: false, fault: 'aborted', cause: undefined, streamed: false };

  it('begins nothing for a client that has left', async () => {
    const { steps, call, client } = scene(704);
    client.abort();
    expect([await call(), steps]).toEqual([ABORTED, []]);
  });

  it('passes text on until then, to those who want it', async () => {
    const heard: string[] = [];
    const { steps, call, client } = scene(2 * 704);
    const onText = async (piece: string) => void heard.push(piece);
    void call(PLATFORM, { onText });
    void call();
    await settled();
    steps[0]?.say('one');
    steps[1]?.say('of another');
    client.abort();
    steps[0]?.say('two');
    expect(heard).toEqual(['one']);
  });

  it('reads a call on, and has no answer for it', async () => {
    const { steps, call, client } = scene(2 * 704);
    const [good, bad] = [call(), call()];
    await settled();
    client.abort();
    expect(steps.map(({ signal }) => signal.aborted)).toEqual([false, false]);
    steps[0]?.answer('fine');
    steps[1]?.fail('overloaded');
    expect(await good).toEqual(ABORTED);
    expect(await bad).toMatchObject({ fault: 'overloaded' });
  });

  it('does not ask again', async () => {
    const { steps, call, client } = scene(704);
    const ended = call();
    await settled();
    client.abort();
    await steps[0]?.again();
    expect(steps[0]?.signal.aborted).toBe(true);
    expect(await ended).toEqual(ABORTED);
  });
});
