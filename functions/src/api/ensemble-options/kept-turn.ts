import { createHmac } from 'node:crypto';
import type { Ending, EnsembleRequest } from '../../ensemble/run';
import { userTurn } from '../../ensemble/strategies/agent/user-turn';
import type { EndpointDeps } from '../deps';

/** A turn of a user may take so long from one request to the next. */
const KEPT_MS = 3_600_000;

type TurnDeps = Pick<EndpointDeps, 'store' | 'turnKey' | 'clock' | 'log'>;

/** The same request with what an earlier one of its user's turn has left: advice, and the number of its reviews. */
export async function inItsTurn(
  { store, turnKey, clock }: TurnDeps,
  userId: string,
  request: EnsembleRequest,
): Promise<EnsembleRequest> {
  const { agent, toolResults } = request;
  if (!agent?.advises && !agent?.reviews) return request;
  const turnId = idOfTurn(turnKey, userId, request);
  if (turnId === undefined) return { ...request, agent: { ...agent, advises: false, reviews: 0 } };
  const kept = toolResults && (await store.findTurn({ userId, id: turnId }, clock.nowMs()));
  const reviews = Math.max(0, agent.reviews - (kept?.reviews ?? 0));
  return { ...request, agent: { ...agent, turnId, reviews, kept } };
}

/** Keeps what a run leaves to its user's turn. A store that fails costs the next request new advice, and this one nothing. */
export async function keepTurn(
  { store, clock, log }: TurnDeps,
  userId: string,
  { requestId, agent, turn }: Pick<EnsembleRequest, 'requestId' | 'agent'> & Pick<Ending, 'turn'>,
): Promise<void> {
  if (!turn || !agent) return;
  await store.keepTurn({ userId, id: agent.turnId }, turn, clock.nowMs() + KEPT_MS).catch((error: unknown) => {
    log.error('turn not kept', { requestId }, error);
  });
}

/**
 * Id of a turn: of its user, its options, and the conversation up to the user's last message, whatever follows. Undefined
 * where the user has said nothing. What a model thought is left out: clients need not send it again.
 */
function idOfTurn(key: Uint8Array, userId: string, request: EnsembleRequest): string | undefined {
  const turn = userTurn(request);
  if (!turn) return undefined;
  const { panel, systemPrompt, sharedPrompt } = request;
  const seats = [...panel.participants, panel.arbiter].map(({ model, ...seat }) => ({ ...seat, model: model.id }));
  const hmac = createHmac('sha256', key).update(JSON.stringify([userId, seats, systemPrompt, sharedPrompt]));
  for (const { reasoning: _, ...said } of [...turn.before, turn.said]) hmac.update(`\n${JSON.stringify(said)}`);
  return hmac.digest('hex');
}
