import type { KeyRecord, OwnKey } from '../../src/access/key-store';
import type { RateLimit } from '../../src/access/rate-limit';
import type { GrantLease, RouterKeyRecord, RouterModelRecord } from '../../src/byok/byok-store';
import type { CallRow } from '../../src/ledger/call-row';
import type { Reservation, Settlement } from '../../src/ledger/ledger-store';
import type { KeptMax, KeptRun } from '../../src/runs/run-store';

/** A moment all store tests count from: 2026-03-31T23:50:00Z, shortly before a month ends. */
export const T0 = Date.UTC(2026, 2, 31, 23, 50);

/** A small limiter, so that tests can fill it. */
export function rateLimit(max: number, name: RateLimit['name'] = 'api'): RateLimit {
  return { name, max, windowMs: 60_000 };
}

/** A ledger row of a finished call that consumed 10 + 20 tokens for 300 nano-USD, with `change` applied. */
export function callRow(callId: string, change: Partial<CallRow> = {}): CallRow {
  return {
    callId,
    modelId: 'model-a',
    modelName: 'Model A',
    purpose: 'draft',
    round: 1,
    promptTokens: 10,
    completionTokens: 20,
    cachedPromptTokens: 0,
    reasoningTokens: 0,
    costNanoUsd: 300,
    estimated: false,
    priced: true,
    outcome: 'ok',
    durationMs: 1_000,
    ...change,
  };
}

/** The row of a call that was listed and has not ended. */
export function openRow(callId: string, change: Partial<CallRow> = {}): CallRow {
  const unknown = { completionTokens: 0, costNanoUsd: 0, estimated: true, outcome: 'open', durationMs: 0 } as const;
  return callRow(callId, { ...unknown, ...change });
}

/** A reservation of user `ada` with key `key-1`, started at T0, with a lease of 660 s. */
export function reservation(requestId: string, change: Partial<Reservation> = {}): Reservation {
  return {
    requestId,
    userId: 'ada',
    keyId: 'key-1',
    keyName: 'laptop',
    endpoint: 'chat/completions',
    month: '2026-03',
    startedAtMs: T0,
    leaseUntilMs: T0 + 660_000,
    calls: [],
    ...change,
  };
}

/** The final word of a request, named by its id or by its reservation, with `calls`. */
export function settlement(
  request: string | Reservation,
  calls: readonly CallRow[],
  change: Partial<Settlement> = {},
): Settlement {
  const reserved = typeof request === 'string' ? reservation(request) : request;
  return { request: reserved, state: 'settled', calls, settledAtMs: T0 + 5_000, ...change };
}

/** An active key of user `ada`, never used, without expiry. */
export function keyRecord(keyId: string, change: Partial<KeyRecord> = {}): KeyRecord {
  return {
    keyId,
    hash: `hash-of-${keyId}`,
    pepperVersion: 'v1',
    userId: 'ada',
    name: 'laptop',
    prefix: 'sk-ens_',
    last4: 'Zz09',
    status: 'active',
    createdAtMs: T0,
    expiresAtMs: null,
    lastUsedAtMs: null,
    replacedBy: null,
    ...change,
  };
}

/** A key of user `ada`, as account management names it. */
export function adasKey(keyId: string): OwnKey {
  return { userId: 'ada', keyId };
}

/** Ada's saved router key; `mark` makes it another one. */
export function routerKeyRecord(mark: string, change: Partial<RouterKeyRecord> = {}): RouterKeyRecord {
  const enc = { v: 1, kid: 'k1', alg: 'A256GCM', wdek: `wdek-${mark}`, iv: `iv-${mark}` } as const;
  return {
    userId: 'ada',
    enc: { ...enc, ct: `ct-${mark}`, tag: `tag-${mark}` },
    last4: mark.slice(-4),
    createdAtMs: T0,
    ...change,
  };
}

/** A router model with vision and without tools, added at T0. */
export function routerModel(slug: string, change: Partial<RouterModelRecord> = {}): RouterModelRecord {
  return {
    slug,
    name: `Name of ${slug}`,
    contextTokens: 128_000,
    vision: true,
    tools: false,
    addedAtMs: T0,
    ...change,
  };
}

/** A lease of Ada's grant of 2026-03 for 660 s. */
export function grantLease(requestId: string, tokens: number, change: Partial<GrantLease> = {}): GrantLease {
  return { userId: 'ada', month: '2026-03', requestId, tokens, leaseUntilMs: T0 + 660_000, ...change };
}

/** A run of user `ada` that has just begun, at T0, kept for 30 days. */
export function keptRun(runId: string, change: Partial<KeptRun> = {}): KeptRun {
  return {
    userId: 'ada',
    runId,
    startedAtMs: T0,
    endpoint: 'playground',
    prompt: 'Is a tomato a fruit?',
    strategy: 'expert_panel',
    rounds: 1,
    models: ['Model A', 'Model B'],
    state: 'running',
    eventCount: 0,
    promptTokens: 0,
    completionTokens: 0,
    costNanoUsd: 0,
    calls: 0,
    durationMs: 0,
    leaseUntilMs: T0 + 30_000,
    expiresAtMs: T0 + 30 * 86_400_000,
    stopRequested: false,
    evaluationCount: 0,
    ...change,
  };
}

/** Bounds on what is kept of a user, so far off that nothing reaches them; a day after the leases of `keptRun` have ended. */
export function keptMax(change: Partial<KeptMax> = {}): KeptMax {
  return { runs: 100, bytes: 1e9, evaluations: 9, nowMs: T0 + 86_400_000, ...change };
}
