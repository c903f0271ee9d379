import { applyCallEvent, applyText } from './apply-call-event';
import type { RunEvent, RunEventOf } from './run-events';
import type { Call, RunState, Spent } from './run-state';

type Reducers = {
  readonly [Type in RunEvent['type']]: (state: RunState, event: RunEventOf<Type>) => Partial<RunState>;
};

const REDUCERS: Reducers = {
  run: (_state, run) => ({ run }),
  round: ({ rounds }, event) => ({ rounds: [...rounds, event] }),
  roundsSkipped: (_state, skipped) => ({ skipped }),
  call: applyCallEvent,
  text: applyText,
  standing: ({ standing }, event) => ({ standing: [...standing, event] }),
  ranking: ({ rankings }, event) => ({ rankings: [...rankings, event] }),
  answer: ({ answer, answerAtMs }, { text, atMs }) => ({ answer: answer + text, answerAtMs: answerAtMs ?? atMs }),
  limitation: ({ limitations }, { text }) => ({ limitations: [...limitations, text] }),
  verdict: (_state, verdict) => ({ verdict }),
  end: ({ calls, spent }, end) => ({
    end,
    calls: new Map([...calls].map(([id, call]) => [id, lost(call, end)])),
    // A server that stopped has not added up: the spend of each call that is known stands.
    spent: end.calls === 0 ? spent : spentBy(end),
  }),
};

function spentBy({ promptTokens, completionTokens, costNanoUsd, calls }: Spent): Spent {
  return { promptTokens, completionTokens, costNanoUsd, calls };
}

/** A call that is open at the end was cut off with its server, which could not tell that. */
function lost(call: Call, { atMs }: RunEventOf<'end'>): Call {
  if (call.endedAtMs !== undefined) return call;
  return { ...call, state: 'cut', endedAtMs: Math.max(atMs, call.queuedAtMs), reason: 'the server stopped' };
}

/**
 * The run after one more event. One that came before changes nothing; one that is not the next only says that some are
 * missing, which must then be asked for again; one of a type that this page does not know is passed over.
 */
export function applyEvent(state: RunState, event: RunEvent): RunState {
  if (event.seq < state.nextSeq) return state;
  if (event.seq > state.nextSeq) return state.hasGap ? state : { ...state, hasGap: true };
  const reduce = REDUCERS[event.type] as ((state: RunState, event: RunEvent) => Partial<RunState>) | undefined;
  return {
    ...state,
    ...reduce?.(state, event),
    nextSeq: event.seq + 1,
    atMs: Math.max(state.atMs, event.atMs),
    hasGap: false,
  };
}

/** The run after these events. */
export function applyEvents(state: RunState, events: readonly RunEvent[]): RunState {
  return events.reduce(applyEvent, state);
}
