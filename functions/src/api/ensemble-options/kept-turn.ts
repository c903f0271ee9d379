import { createHmac } from 'node:crypto';
import type { Ending, EnsembleRequest } from '../../ensemble/run';
import { wordsBelow } from '../../ensemble/strategies/agent/actor';
import { requestBefore, userTurn } from '../../ensemble/strategies/agent/user-turn';
import type { KeptTurn } from '../../runs/turn-store';
import type { EndpointDeps } from '../deps';

/** Longest time from one request of a user's turn to the next. */
const KEPT_MS = 3_600_000;

/** Characters of JSON that are kept of the turns before. Where they are more, their words are left out from then on. */
const EARLIER_CHARACTERS_MAX = 60_000;

type TurnDeps = Pick<EndpointDeps, 'store' | 'turnKey' | 'clock' | 'log'>;

/**
 * The same request with what an earlier one of its user's turn has left, or else the turn before: what its arbiter was
 * shown in earlier turns is settled when a turn begins, so that no bytes change within it. A store that fails costs new
 * advice, and not the answer.
 */
export async function inItsTurn(deps: TurnDeps, userId: string, request: EnsembleRequest): Promise<EnsembleRequest> {
  const { agent: setup, toolResults } = request;
  if (!setup) return request;
  const ids = idsOf(deps.turnKey, userId, request);
  if (!ids) return { ...request, agent: { ...setup, advises: false, reviews: 0 } };
  const agent = { ...setup, ...ids };
  if (!(agent.advises || agent.reviews > 0)) return { ...request, agent };
  const find = finder(deps, userId, request);
  const kept = toolResults && ((await find(ids.turnId)) ?? (await find(ids.saidId)));
  const reviews = Math.max(0, agent.reviews - (kept?.reviews ?? 0));
  const earlier = kept || !agent.advises ? kept?.earlier : await earlierWords(deps, userId, request);
  return { ...request, agent: { ...agent, reviews, kept, earlier } };
}

/** Words that the turns before have shown their arbiter, where the last of them is still kept. */
async function earlierWords(deps: TurnDeps, userId: string, request: EnsembleRequest): Promise<KeptTurn['earlier']> {
  const before = requestBefore(request);
  const ids = before && idsOf(deps.turnKey, userId, before);
  const kept = ids && (await finder(deps, userId, request)(ids.turnId));
  if (!kept || !before.agent) return undefined;
  const words = wordsBelow({ ...before, agent: { ...before.agent, turnId: ids.turnId } }, kept.advice);
  const earlier = [...(kept.earlier ?? []), { at: before.history.length, words }];
  return JSON.stringify(earlier).length > EARLIER_CHARACTERS_MAX ? undefined : earlier;
}

function finder({ store, clock, log }: TurnDeps, userId: string, { requestId }: EnsembleRequest) {
  return (id: string): Promise<KeptTurn | undefined> =>
    store.findTurn({ userId, id }, clock.nowMs()).catch((error: unknown) => {
      log.error('turn not read', { requestId }, error);
      return undefined;
    });
}

/**
 * Keeps what a run leaves to its user's turn; behind tool results also without texts, for requests with other instructions:
 * where those change each time, advice is asked for anew once. A store that fails costs the next request new advice.
 */
export async function keepTurn(
  { store, clock, log }: TurnDeps,
  userId: string,
  { turn, requestId, toolResults, agent }: EnsembleRequest & Pick<Ending, 'turn'>,
): Promise<void> {
  if (!turn || !agent) return;
  const keep = (id: string, kept: KeptTurn): Promise<void> =>
    store.keepTurn({ userId, id }, kept, clock.nowMs() + KEPT_MS).catch((error: unknown) => {
      log.error('turn not kept', { requestId }, error);
    });
  await keep(agent.turnId, turn);
  if (toolResults && agent.saidId !== undefined) await keep(agent.saidId, { advice: [], reviews: turn.reviews });
}

/**
 * Ids of a user's turn, by the panel and the conversation up to the user's last message, whatever follows: one with the
 * instructions it has, and one whatever they are, where no texts are kept. Undefined where the user has said nothing.
 * A model's thoughts are left out: clients need not send them again.
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
