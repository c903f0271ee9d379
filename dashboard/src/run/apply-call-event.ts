import type { RunEventOf } from './run-events';
import type { Attempt, Call, RunState, Spent } from './run-state';
import { seatName } from './seat-name';

type CallEvent = RunEventOf<'call'>;
type CallEventOf<State extends CallEvent['state']> = Extract<CallEvent, { readonly state: State }>;
type Ended = Exclude<CallEvent, { readonly state: 'queued' | 'started' | 'first' }>;

/** The changes by an event of a call. One of a call that was never queued changes nothing. */
export function applyCallEvent(state: RunState, event: CallEvent): Partial<RunState> {
  if (event.state === 'queued') return enqueued(state, queued(event));
  const call = state.calls.get(event.call);
  if (!call) return {};
  if (event.state === 'started') return { calls: withCall(state, started(call, event)) };
  if (event.state === 'first') return { calls: withCall(state, spoke(call, event)) };
  return { calls: withCall(state, ended(call, event)), spent: withSpend(state.spent, event) };
}

/** The changes by a piece of text. */
export function applyText(state: RunState, { call: id, attempt, text }: RunEventOf<'text'>): Partial<RunState> {
  const call = state.calls.get(id);
  if (!call) return {};
  const attempts = changed(call, attempt, (one) => ({ ...one, text: one.text + text }));
  return { calls: withCall(state, { ...call, attempts }) };
}

function enqueued(state: RunState, call: Call): Partial<RunState> {
  if (state.calls.has(call.id)) return {};
  const ids = [...(state.callIds.get(call.seat) ?? []), call.id];
  return { calls: withCall(state, call), callIds: new Map(state.callIds).set(call.seat, ids) };
}

function queued(event: CallEventOf<'queued'>): Call {
  const { call: id, modelId, round, purpose, saw, shortened, atMs: queuedAtMs } = event;
  const seat = seatName(event.seat);
  return { id, seat, modelId, round, purpose, saw, shortened, queuedAtMs, state: 'queued', attempts: [] };
}

function started(call: Call, { attempt, atMs }: CallEventOf<'started'>): Call {
  const next: Attempt = { attempt, state: 'running', startedAtMs: atMs, text: '' };
  return { ...call, state: 'running', attempts: [...call.attempts, next] };
}

function spoke(call: Call, { attempt, atMs }: CallEventOf<'first'>): Call {
  return { ...call, attempts: changed(call, attempt, (one) => ({ ...one, firstAtMs: atMs })) };
}

function ended(call: Call, { state, attempt, atMs, text, reason, finishReason, spend, sources }: Ended): Call {
  const about = { state, endedAtMs: atMs, ...given({ text, reason, finishReason, spend, sources }) };
  return {
    ...call,
    ...(state !== 'retry' && { endedAtMs: atMs }),
    ...given({ reason }),
    state,
    attempts: changed(call, attempt ?? -1, (one) => ({ ...one, ...about })),
  };
}

function changed(call: Call, attempt: number, change: (attempt: Attempt) => Attempt): readonly Attempt[] {
  return call.attempts.map((one) => (one.attempt === attempt ? change(one) : one));
}

function withCall({ calls }: RunState, call: Call): RunState['calls'] {
  return new Map(calls).set(call.id, call);
}

function withSpend(spent: Spent, { spend, attempt }: Ended): Spent {
  return {
    promptTokens: spent.promptTokens + (spend?.promptTokens ?? 0),
    completionTokens: spent.completionTokens + (spend?.completionTokens ?? 0),
    costNanoUsd: spent.costNanoUsd + (spend?.costNanoUsd ?? 0),
    calls: spent.calls + (attempt === undefined ? 0 : 1),
  };
}

/** The fields that have a value. */
function given<Fields extends object>(fields: Fields): { [Name in keyof Fields]?: NonNullable<Fields[Name]> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as never;
}
