import { MEMORY_BYTES, openedRun, runParts } from '../../test/support/run-parts';
import { isRefusal, refuseBusy, refuseRestarting } from '../errors';
import { createLog } from '../lib/log';
import { type Admitted, admit, createTellUnpriced, LEASE_MS, reservationOf } from './admit';

const OPENED = openedRun();
const BROKEN = new Error('the store is away');

function admitted<Result>(outcome: Admitted<Result> | object): Admitted<Result> {
  if (isRefusal(outcome)) throw new Error(outcome.text);
  return outcome as Admitted<Result>;
}

describe('admit', () => {
  it('reserves the rate slot together with the first wave and what it is likely to cost', async () => {
    const { deps, request, written } = runParts();
    const { headers } = admitted(await admit(deps, request, OPENED));
    expect(headers).toEqual({ 'x-left': '29' });
    expect(written.noted).toEqual([{ model: 'gpt-4o-mini', strategy: 'consensus' }]);
    const { startedAtMs } = request;
    expect(written.reservations).toEqual([
      {
        requestId: 'request-1',
        userId: 'ada',
        keyId: 'key-1',
        keyName: 'laptop',
        endpoint: 'chat.completions',
        month: '2026-01',
        startedAtMs,
        leaseUntilMs: startedAtMs + 660_000,
        calls: [expect.objectContaining({ callId: 'a', outcome: 'open', promptTokens: 100, costNanoUsd: 15_000 })],
        // A prompt of 100 tokens at 150 nano-USD, a usual reply of 600 at 600.
        estimateNanoUsd: 100 * 150 + 4_096 * 600,
      },
    ]);
  });

  it('holds its memory and its place among the open runs until it is released', async () => {
    const { deps, request, memory, placesLeft } = runParts();
    const { release } = admitted(await admit(deps, request, OPENED));
    expect(memory.hasRoomFor('ada', 401)).toBe(false);
    expect(memory.hasRoomFor('ada', 400)).toBe(true);
    expect(placesLeft()).toBe(29);
    release();
    expect(memory.hasRoomFor('ada', MEMORY_BYTES / 2)).toBe(true);
    expect(placesLeft()).toBe(30);
  });

  it('refuses everything once the process is to end, before it looks at it', async () => {
    const { deps, request, written, stop } = runParts();
    stop.abort();
    expect(await admit(deps, request, OPENED)).toEqual(refuseRestarting());
    expect(written).toMatchObject({ noted: [], reservations: [] });
  });

  it('refuses what the key may not call, and asks for no slot', async () => {
    const { deps, request, written, placesLeft } = runParts();
    const caller = { ...request.caller, limits: { models: ['claude-*'] } };
    const refused = await admit(deps, { ...request, caller }, OPENED);
    expect(refused).toMatchObject({ code: 'not_allowed', text: expect.stringContaining('gpt-4o-mini') });
    expect(written.reservations).toEqual([]);
    expect(placesLeft()).toBe(30);
  });

  it('refuses the 31st run of a user at a time', async () => {
    const { deps, request, written } = runParts();
    const small = openedRun({ heldBytes: 1 });
    for (let count = 0; count < 30; count += 1) admitted(await admit(deps, request, small));
    const refused = await admit(deps, request, small);
    expect(refused).toMatchObject({ code: 'rate_limited', headers: { 'retry-after': '60' } });
    expect(written.reservations).toHaveLength(30);
  });

  it('refuses a run for which its user has no memory left, and takes no place and no slot for it', async () => {
    const { deps, request, written, memory, placesLeft } = runParts();
    expect(await admit(deps, request, openedRun({ heldBytes: MEMORY_BYTES / 2 + 1 }))).toEqual(refuseBusy());
    expect(written.reservations).toEqual([]);
    expect(memory.hasRoomFor('ada', MEMORY_BYTES / 2)).toBe(true);
    expect(placesLeft()).toBe(30);
  });

  it('abandons a reservation of which nobody knows whether it was committed, and gives back what it held', async () => {
    const { deps, request, written, clock, memory, placesLeft } = runParts();
    const guard = {
      admit: async () => {
        await clock.advance(5_000);
        throw BROKEN;
      },
    };
    await expect(admit({ ...deps, guard }, request, OPENED)).rejects.toBe(BROKEN);
    expect(written.abandoned).toEqual([
      {
        reservation: expect.objectContaining({
          requestId: 'request-1',
          calls: [expect.objectContaining({ callId: 'a' })],
        }),
        atMs: request.startedAtMs + 5_000,
      },
    ]);
    expect(written.lines).toEqual([]);
    expect(memory.hasRoomFor('ada', MEMORY_BYTES / 2)).toBe(true);
    expect(placesLeft()).toBe(30);
  });
});

describe('reservationOf', () => {
  const { request } = runParts();

  it('is of the month in which the request began, and leases its record for longer than the longest run', () => {
    const startedAtMs = Date.parse('2026-02-28T23:59:59.999Z');
    const reservation = reservationOf({ ...request, startedAtMs }, []);
    expect(reservation).toMatchObject({ month: '2026-02', startedAtMs, leaseUntilMs: startedAtMs + LEASE_MS });
    expect(LEASE_MS).toBeGreaterThan(525_000);
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
