import { BUSY, KIB, MIB, startUploads, TOO_LARGE, TOO_SLOW } from '../../test/support/uploads';

describe('a body that is too large', () => {
  it('is read on to its end, holding nothing, so that its client sees the refusal', async () => {
    const { upload, held } = startUploads();
    const { stream, write, over, state } = upload();
    await write(Buffer.alloc(4 * MIB), Buffer.alloc(1));
    expect([state.result, held()]).toEqual(['reads', 0]);
    await write(Buffer.alloc(KIB));
    expect(state.result).toBe('reads');
    stream.end();
    expect(await over).toMatchObject(TOO_LARGE);
  });

  it('is refused after 32 MiB, whether it ends or not', async () => {
    const { upload } = startUploads();
    const { write, state } = upload();
    const piece = Buffer.alloc(16 * MIB);
    await write(piece, piece);
    expect(state.result).toBe('reads');
    await write(Buffer.alloc(1));
    expect(state.result).toMatchObject(TOO_LARGE);
  });

  it('is not read at all where it says so: more than 32 MiB', async () => {
    const { upload } = startUploads();
    expect(await upload('ann', 32 * MIB + 1).over).toMatchObject(TOO_LARGE);
    const { stream, over, write } = upload('ann', 32 * MIB);
    await write(Buffer.from('7'));
    stream.end();
    expect(await over).toEqual(Buffer.from('7'));
  });
});

describe('a body without room', () => {
  it('is refused before it is read where it says how long it is, of which 4 MiB count at most', async () => {
    const { upload } = startUploads(8 * MIB);
    expect(upload('ann', 5 * MIB).state.result).toBe('reads');
    const { upload: fewer, clock } = startUploads(8 * MIB - 1);
    expect(await fewer('ann', 4 * MIB).over).toMatchObject(BUSY);
    expect(clock.pending).toBe(0);
  });

  it('is refused as soon as what came has none, and lets go of it', async () => {
    const { upload, held } = startUploads(64 * KIB);
    const { write, over, state } = upload();
    await write(Buffer.alloc(32 * KIB));
    expect(state.result).toBe('reads');
    await write(Buffer.alloc(1));
    expect(await over).toMatchObject(BUSY);
    expect(held()).toBe(0);
  });
});

describe('a body that does not come', () => {
  it('is refused after 30 seconds, and its connection is of no more use', async () => {
    const { upload, clock, held } = startUploads();
    const { write, over, state } = upload();
    await write(Buffer.alloc(KIB));
    await clock.advance(29_999);
    expect(state.result).toBe('reads');
    await clock.advance(1);
    expect(await over).toEqual(TOO_SLOW);
    expect(held()).toBe(0);
  });

  it('is refused also while it waits for its turn: two of a user are read at a time', async () => {
    const { upload, clock } = startUploads();
    const first = upload();
    await clock.advance(10_000);
    const [second, third, others] = [upload(), upload(), upload('bob')];
    for (const { stream } of [second, third, others]) stream.end('7');
    await clock.advance(0);
    // The second ended, so that the third had its turn; of others nobody waits for anybody.
    expect([second, third, others].map(({ state }) => state.result)).toEqual(Array(3).fill(Buffer.from('7')));
    const stalled = upload();
    const waiting = upload();
    waiting.stream.end('7');
    await clock.advance(19_999);
    expect([first, stalled, waiting].map(({ state }) => state.result)).toEqual(['reads', 'reads', 'reads']);
    await clock.advance(1);
    // The first is given up, and whoever waits is read.
    expect([first, stalled, waiting].map(({ state }) => state.result)).toEqual([TOO_SLOW, 'reads', Buffer.from('7')]);
    const later = [upload(), upload()];
    await clock.advance(10_000);
    expect(stalled.state.result).toEqual(TOO_SLOW);
    await clock.advance(20_000);
    expect(later.map(({ state }) => state.result)).toEqual([TOO_SLOW, TOO_SLOW]);
    expect(clock.pending).toBe(0);
  });

  it('that waited in vain for its turn is refused, too', async () => {
    const { upload, clock } = startUploads();
    const uploads = [upload(), upload(), upload()];
    await clock.advance(30_000);
    expect(uploads.map(({ state }) => state.result)).toEqual([TOO_SLOW, TOO_SLOW, TOO_SLOW]);
  });
});

describe('a client that leaves while it sends a body', () => {
  const LEFT = 'the client went away while sending the body';

  it('is given up, and what it sent is let go', async () => {
    const { upload, held, clock } = startUploads();
    const { stream, write, over } = upload();
    await write(Buffer.alloc(KIB));
    stream.destroy();
    expect(await over).toBe(LEFT);
    expect([held(), clock.pending]).toEqual([0, 0]);
  });

  it('is told with its error where there is one', async () => {
    const { upload } = startUploads();
    const { stream, over } = upload();
    stream.destroy(new Error('reset'));
    expect(await over).toBe('reset');
  });

  it('before its turn came is given up then', async () => {
    const { upload, clock } = startUploads();
    const [first, , third] = [upload(), upload(), upload()];
    third.stream.destroy();
    await clock.advance(0);
    expect(third.state.result).toBe('reads');
    first.stream.end('7');
    await clock.advance(0);
    expect([first.state.result, third.state.result]).toEqual([Buffer.from('7'), LEFT]);
  });
});
