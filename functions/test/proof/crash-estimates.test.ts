import type { CallRow } from '../../src/ledger/call-row';
import { type AnnouncedCall, RequestLedger } from '../../src/ledger/request-ledger';
import { createCatalog } from '../../src/models/catalog';
import type { AttemptEntry } from '../../src/models/gateway/gateway-call';
import { fakeClock } from '../support/fake-clock';
import { reservation } from '../support/store-records';
import { faultyLedger } from './faulty-ledger';
import { seededRandom, withSeed } from './seeded-random';

const CRASHES = 1_000;
const MODEL = createCatalog().modelOf('gpt-4o-mini');

/** One call of a run: when it starts, how long it is silent, how fast it speaks, when it ends; milliseconds. */
interface Call {
  readonly callId: string;
  readonly startMs: number;
  readonly speaksMs: number;
  readonly endMs: number;
  readonly tokensPerSecond: number;
}

describe.each([1_000, 5_000])('what is booked of a run that dies, written down every %i ms', (everyMs) => {
  it('is what its calls had produced by then, within 2 % over 1,000 crashes', async () => {
    const random = seededRandom();
    await withSeed(random, async () => {
      let [booked, billed] = [0, 0];
      for (let crash = 0; crash < CRASHES; crash += 1) {
        const calls = runOf((below) => random.below(below));
        const diesMs = random.below(Math.max(...calls.map(({ endMs }) => endMs)));
        booked += await bookedOf(calls, diesMs, everyMs);
        billed += calls.reduce((sum, call) => sum + producedBy(call, diesMs), 0);
      }
      expect(Math.abs(booked / billed - 1)).toBeLessThan(0.02);
    });
  });
});

/** A wave of three, and the answer as soon as all of them have ended. */
function runOf(below: (limit: number) => number): Call[] {
  const callOf = (callId: string, startMs: number): Call => {
    const speaksMs = startMs + 200 + below(1_500);
    return { callId, startMs, speaksMs, endMs: speaksMs + 4_000 + below(16_000), tokensPerSecond: 20 + below(100) };
  };
  const wave = ['r1.p1', 'r1.p2', 'r1.p3'].map((callId) => callOf(callId, 0));
  return [...wave, callOf('answer', Math.max(...wave.map(({ endMs }) => endMs)))];
}

function producedBy({ speaksMs, endMs, tokensPerSecond }: Call, atMs: number): number {
  return Math.floor((Math.max(0, Math.min(atMs, endMs) - speaksMs) * tokensPerSecond) / 1_000);
}

/** Completion tokens in the store when the process dies at `diesMs`. */
async function bookedOf(calls: readonly Call[], diesMs: number, everyMs: number): Promise<number> {
  const store = faultyLedger(fakeClock(), { latencyMs: 0, refusesFrom: 0 });
  const ledger = new RequestLedger(store, reservation('r', { startedAtMs: 0 }));
  store.reserve(ledger.reserve(calls.slice(0, 3).map(announced)));
  const open = new Map<Call, AttemptEntry>();
  const ticks = Array.from({ length: Math.floor(diesMs / everyMs) }, (_, index) => (index + 1) * everyMs);
  const moments = [...ticks, ...calls.flatMap(({ startMs, endMs }) => [startMs, endMs])];
  for (const nowMs of [...new Set(moments)].sort((a, b) => a - b).filter((moment) => moment <= diesMs)) {
    for (const [call, entry] of open) {
      entry.meter.tokens = producedBy(call, nowMs);
      entry.meter.characters = 4 * entry.meter.tokens;
      if (call.endMs === nowMs) open.delete(end(call, entry));
    }
    for (const call of calls) if (call.startMs === nowMs) open.set(call, await ledger.openAttempt(announced(call), 1));
    if (nowMs % everyMs === 0) await ledger.checkpoint();
  }
  return [...store.rows.values()].reduce((sum, row: CallRow) => sum + row.completionTokens, 0);
}

/** The provider reports the call's usage, and it is over. */
function end(call: Call, { meter, close }: AttemptEntry): Call {
  meter.usage = { promptTokens: 100, completionTokens: producedBy(call, call.endMs) };
  meter.reportedAt = meter.tokens;
  close(undefined, 1);
  return call;
}

function announced({ callId }: Call): AnnouncedCall {
  return { callId, model: MODEL, seat: 'p1', purpose: 'draft', round: 1, promptTokens: 100 };
}
