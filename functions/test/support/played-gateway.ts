import { createCatalog } from '../../src/models/catalog';
import { createGateway, type GatewayOptions } from '../../src/models/gateway/gateway';
import { type GatewayCall, newMeter } from '../../src/models/gateway/gateway-call';
import type { CallListener, FinishReason, ModelProvider, ProviderCall } from '../../src/models/model';
import { ModelFault, type ModelFaultKind } from '../../src/models/model-fault';
import { fakeClock } from './fake-clock';
import { scopeOf } from './request-scope';

/** One attempt as its provider plays it. */
export type Turn = (call: ProviderCall, listener: CallListener) => Promise<FinishReason>;

export const { modelOf } = createCatalog();

/** Says these pieces, and ends or fails. */
export function says(pieces: string | readonly string[], fault?: ModelFaultKind): Turn {
  return async (_, listener) => {
    for (const piece of [pieces].flat()) await listener.text(piece);
    if (fault) throw new ModelFault(fault);
    return 'stop';
  };
}

export function fails(kind: ModelFaultKind, retryAfterSeconds?: number): Turn {
  return () => Promise.reject(new ModelFault(kind, { retryAfterSeconds }));
}

/** Ends only when it is aborted. */
export const hangs: Turn = ({ signal }) =>
  new Promise((_, reject) => signal.addEventListener('abort', () => reject(new ModelFault('aborted')), { once: true }));

interface Played extends Partial<GatewayOptions> {
  readonly holds?: ModelProvider['holds'];
}

/** A gateway to a provider that plays attempts by turns, or all of them by one; what it was sent is recorded. */
export function playedGateway(play: Turn | readonly Turn[], { holds, ...options }: Played = {}) {
  const clock = options.clock ? (options.clock as ReturnType<typeof fakeClock>) : fakeClock();
  const sent: ProviderCall[] = [];
  const listeners: CallListener[] = [];
  const closed: (ModelFaultKind | undefined)[] = [];
  const attempts: number[] = [];
  const gateway = createGateway({
    clock,
    provider: () => ({
      ...(holds && { holds }),
      run: (call, listener) => {
        sent.push(call);
        listeners.push(listener);
        const turn = typeof play === 'function' ? play : play[sent.length - 1];
        if (!turn) throw new Error('one attempt too many');
        return turn(call, listener);
      },
    }),
    ...options,
  });
  const ask = (change: Partial<GatewayCall> = {}) =>
    gateway.call({
      scope: scopeOf('q1'),
      model: modelOf('gpt-4o'),
      prompt: { turns: [{ role: 'user', text: 'x' }] },
      purpose: 'draft',
      signal: new AbortController().signal,
      budgetMs: 300_000,
      openAttempt: (attempt) => {
        attempts.push(attempt);
        return { meter: newMeter(), close: (fault) => void closed.push(fault), cancel: () => undefined };
      },
      ...change,
    });
  /** Makes a call and lets time pass until it has ended. */
  const settle = (change: Partial<GatewayCall> = {}, limitMs = 600_000) => clock.settle(ask(change), limitMs);
  return { clock, sent, listeners, closed, attempts, ask, settle };
}
