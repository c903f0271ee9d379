import { createHmac } from 'node:crypto';
import type { EnsembleResult } from '../../ensemble/open-ensemble';
import type { EnsembleRequest } from '../../ensemble/run';
import { userTurn } from '../../ensemble/strategies/agent/user-turn';
import type { Clock } from '../../lib/clock';
import type { Log } from '../../lib/log';
import type { AdviceStore } from '../../runs/advice-store';

/** A turn of a user may take so long from its first request to the last. */
const KEPT_MS = 3_600_000;

/** Services that keep the advice of users' turns. */
export interface AdviceDeps {
  readonly store: AdviceStore;
  /** Secret behind the ids of turns. */
  readonly turnKey: Uint8Array;
  readonly clock: Clock;
  readonly log: Log;
}

/** The same request with the id of its user's turn, and with the advice that an earlier request of it was given. */
export async function withAdvice(
  { store, turnKey, clock }: AdviceDeps,
  userId: string,
  request: EnsembleRequest,
): Promise<EnsembleRequest> {
  const { agent, toolResults } = request;
  if (!agent?.advises) return request;
  const id = turnId(turnKey, userId, request);
  if (id === undefined) return { ...request, agent: { ...agent, advises: false } };
  const advice = toolResults && (await store.findAdvice({ userId, id }, clock.nowMs()));
  return { ...request, agent: { ...agent, turnId: id, advice } };
}

/** Keeps advice that a run has asked for. A store that fails costs the next request new advice, and this one nothing. */
export async function keepAdvice(
  { store, clock, log }: AdviceDeps,
  userId: string,
  { request, result: { advice } }: { readonly request: EnsembleRequest; readonly result: EnsembleResult },
): Promise<void> {
  if (!advice || !request.agent) return;
  const turn = { userId, id: request.agent.turnId };
  await store.keepAdvice(turn, advice, clock.nowMs() + KEPT_MS).catch((error: unknown) => {
    log.error('advice not kept', { requestId: request.requestId }, error);
  });
}

/**
 * Id of a turn: of its user, its options, and the conversation up to the user's last message, whatever follows. Undefined
 * where the user has said nothing. What a model thought is left out: clients need not send it again.
 */
function turnId(key: Uint8Array, userId: string, request: EnsembleRequest): string | undefined {
  const turn = userTurn(request);
  if (!turn) return undefined;
  const { panel, systemPrompt, sharedPrompt } = request;
  const seats = [...panel.participants, panel.arbiter].map(({ model, ...seat }) => ({ ...seat, model: model.id }));
  const hmac = createHmac('sha256', key).update(JSON.stringify([userId, seats, systemPrompt, sharedPrompt]));
  for (const { reasoning: _, ...said } of [...turn.before, turn.said]) hmac.update(`\n${JSON.stringify(said)}`);
  return hmac.digest('hex');
}
