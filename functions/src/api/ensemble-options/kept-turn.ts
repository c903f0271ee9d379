import { createHmac } from 'node:crypto';
import type { Ending, EnsembleRequest } from '../../ensemble/run';
import { userTurn } from '../../ensemble/strategies/agent/user-turn';
import type { KeptTurn } from '../../runs/turn-store';
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
  const find = (id: string) => store.findTurn({ userId, id }, clock.nowMs());
  const kept = toolResults && ((await find(turnId)) ?? (await find(idOfSaid(turnKey, userId, request))));
  const reviews = Math.max(0, agent.reviews - (kept?.reviews ?? 0));
  return { ...request, agent: { ...agent, turnId, reviews, kept } };
}

/**
 * Keeps what a run leaves to its user's turn, and without its texts that advice was asked for anew: instructions that change
 * with every request cost that once. A store that fails costs the next request new advice, and this one nothing.
 */
export async function keepTurn(
  { store, turnKey, clock, log }: TurnDeps,
  userId: string,
  { turn, ...request }: EnsembleRequest & Pick<Ending, 'turn'>,
): Promise<void> {
  const { requestId, agent, toolResults } = request;
  if (!turn || !agent) return;
  const keep = (id: string, kept: KeptTurn): Promise<void> =>
    store.keepTurn({ userId, id }, kept, clock.nowMs() + KEPT_MS).catch((error: unknown) => {
      log.error('turn not kept', { requestId }, error);
    });
  await keep(agent.turnId, turn);
  if (toolResults && !agent.kept) await keep(idOfSaid(turnKey, userId, request), { ...turn, advice: [] });
}

/** Id of a turn of its user with the instructions that it has; undefined where the user has said nothing. */
function idOfTurn(key: Uint8Array, userId: string, request: EnsembleRequest): string | undefined {
  const { systemPrompt, sharedPrompt } = request;
  return userTurn(request) && idBy(key, [userId, systemPrompt, sharedPrompt], request);
}

/** The same whatever the instructions are. Texts are never kept there. */
function idOfSaid(key: Uint8Array, userId: string, request: EnsembleRequest): string {
  return idBy(key, [userId], request);
}

/**
 * Hash of these words, the panel and the conversation up to the user's last message, whatever follows. What a model thought
 * is left out: clients need not send it again.
 */
function idBy(key: Uint8Array, words: readonly (string | undefined)[], request: EnsembleRequest): string {
  const { before = [], said } = userTurn(request) ?? {};
  const { participants, arbiter } = request.panel;
  const seats = [...participants, arbiter].map(({ model, ...seat }) => ({ ...seat, model: model.id }));
  const hmac = createHmac('sha256', key).update(JSON.stringify([words, seats]));
  for (const { reasoning: _, ...turn } of [...before, ...(said ? [said] : [])])
    hmac.update(`\n${JSON.stringify(turn)}`);
  return hmac.digest('hex');
}
