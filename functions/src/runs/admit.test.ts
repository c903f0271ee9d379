import { MEMORY_BYTES, openedRun, runParts } from '../../test/support/run-parts';
import { isRefusal } from '../errors';
import { createLog } from '../lib/log';
import { admit, createTellUnpriced } from './admit';

const OPENED = openedRun();

describe('admit', () => {
  it('reserves the rate slot together with the first wave and what it is likely to cost', async () => {
    const { deps, request, written } = runParts();
    expect(await admit(deps, request, OPENED)).toMatchObject({ headers: { 'x-left': '29' } });
    const { startedAtMs } = request;
    expect(written.reservations).toEqual([
      {
        requestId: 'request-1',
        userId: 'ada',
        keyId: 'key-1',
        keyName: 'laptop',
        endpoint: 'chat.completions',
        strategy: 'consensus',
        month: '2026-01',
        startedAtMs,
        // Longer than the longest run.
        leaseUntilMs: startedAtMs + 660_000,
        calls: [expect.objectContaining({ callId: 'a', outcome: 'open', promptTokens: 100, costNanoUsd: 15_000 })],
        // A prompt of 100 tokens at 150 nano-USD, a usual reply of 600 at 600.
        estimateNanoUsd: 100 * 150 + 4_096 * 600,
      },
    ]);
  });

  it('holds its memory and its place among the open runs until it is released', async () => {
    const { deps, request, memory, placesLeft } = runParts();
    const admitted = await admit(deps, request, OPENED);
    const held = () => [memory.hasRoomFor('ada', 401), memory.hasRoomFor('ada', 400), placesLeft()];
    expect(held()).toEqual([false, true, 29]);
    if (!isRefusal(admitted)) admitted.release();
    expect(held()).toEqual([true, true, 30]);
  });

  it('abandons a reservation of which nobody knows whether it was committed, and gives back what it held', async () => {
    const { deps, request, written, clock, memory, placesLeft } = runParts();
    const broken = new Error('the store is away');
    const guard = {
      admit: async () => {
        await clock.advance(5_000);
        throw broken;
      },
    };
    await expect(admit({ ...deps, guard }, request, OPENED)).rejects.toBe(broken);
    const reservation = { requestId: 'request-1', calls: [{ callId: 'a' }] };
    expect(written.abandoned).toMatchObject([{ reservation, atMs: request.startedAtMs + 5_000 }]);
    expect(written.lines).toEqual([]);
    expect([memory.hasRoomFor('ada', MEMORY_BYTES / 2), placesLeft()]).toEqual([true, 30]);
  });
});

it('a missing price is reported once for each model, at its first request', () => {
  const lines: Record<string, unknown>[] = [];
  const tell = createTellUnpriced(createLog('info', (line) => lines.push(JSON.parse(line))));
  for (const modelId of ['a', 'b', 'a']) tell(modelId, { requestId: `r${lines.length}` });
  expect(lines).toMatchObject([
    { severity: 'WARNING', message: 'no price known', modelId: 'a', requestId: 'r0' },
    { modelId: 'b', requestId: 'r1' },
  ]);
});
