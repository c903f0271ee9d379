import { createHmac } from 'node:crypto';
import type { Ending, EnsembleRequest } from '../../ensemble/run';
import { userTurn } from '../../ensemble/strategies/agent/user-turn';
import type { KeptTurn } from '../../runs/turn-store';
import type { EndpointDeps } from '../deps';

/** Longest time from one request of a user's turn to the next. */
const KEPT_MS = 3_600_000;

type TurnDeps = Pick<EndpointDeps, 'store' | 'turnKey' | 'clock' | 'log'>;

/**
 * The same request with what an earlier one of its user's turn has left: advice, and the number of its reviews. A store
 * that fails costs new advice, and not the answer.
 */
export async function inItsTurn(deps: TurnDeps, userId: string, request: EnsembleRequest): Promise<EnsembleRequest> {
  const { agent: setup, toolResults, requestId } = request;
  if (!setup) return request;
  const { store, turnKey, clock, log } = deps;
  const ids = idsOf(turnKey, userId, request);
  if (!ids) return { ...request, agent: { ...setup, advises: false, reviews: 0 } };
  const agent = { ...setup, turnId: ids.turnId };
  if (!toolResults || !(agent.advises || agent.reviews > 0)) return { ...request, agent };
  const find = (id: string) => store.findTurn({ userId, id }, clock.nowMs());
  const found = async () => (await find(ids.turnId)) ?? (await find(ids.saidId));
  const kept = await found().catch((error: unknown) => {
    log.error('turn not read', { requestId }, error);
    return undefined;
  });
  return { ...request, agent: { ...agent, reviews: Math.max(0, agent.reviews - (kept?.reviews ?? 0)), kept } };
}

/**
 * Keeps what a run leaves to its user's turn; behind tool results also without texts, for requests with other instructions:
 * where those change each time, advice is asked for anew once. A store that fails costs the next request new advice.
 */
export async function keepTurn(
  { store, turnKey, clock, log }: TurnDeps,
  userId: string,
  { turn, ...request }: EnsembleRequest & Pick<Ending, 'turn'>,
): Promise<void> {
  const { requestId, toolResults } = request;
  const ids = turn && idsOf(turnKey, userId, request);
  if (!ids) return;
  const keep = (id: string, kept: KeptTurn): Promise<void> =>
    store.keepTurn({ userId, id }, kept, clock.nowMs() + KEPT_MS).catch((error: unknown) => {
      log.error('turn not kept', { requestId }, error);
    });
  await keep(ids.turnId, turn);
  if (toolResults) await keep(ids.saidId, { ...turn, advice: [] });
}

/**
 * Ids of a user's turn, by the panel and the conversation up to the user's last message, whatever follows: one with the
 * instructions it has, and one whatever they are, where no texts are kept. Undefined where the user has said nothing.
 * What a model thought is left out: clients need not send it again.
 */
function idsOf(key: Uint8Array, userId: string, request: EnsembleRequest) {
  const turn = userTurn(request);
  if (!turn) return undefined;
  const { panel, systemPrompt, sharedPrompt } = request;
  const hmac = createHmac('sha256', key);
  const seats = [...panel.participants, panel.arbiter].map(({ model, ...seat }) => ({ ...seat, model: model.id }));
  hmac.update(JSON.stringify(seats));
  for (const { role, text, name, images, toolCalls, toolResults } of [...turn.before, turn.said])
    hmac.update(`\n${JSON.stringify([role, text, name, images, toolCalls, toolResults])}`);
  const said = hmac.digest('hex');
  const idWith = (words: readonly (string | undefined)[]): string =>
    createHmac('sha256', key)
      .update(JSON.stringify([userId, said, ...words]))
      .digest('hex');
  return { turnId: idWith([systemPrompt, sharedPrompt]), saidId: idWith([]) };
}
