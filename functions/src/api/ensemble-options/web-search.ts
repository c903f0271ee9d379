import type { Seat } from '../../ensemble/panel/panel';
import type { EnsembleRequest } from '../../ensemble/run';
import { answersAlone } from '../../ensemble/strategies/pass-through/pass-through';
import type { ModelFlaw } from '../../models/model-policy';

/**
 * The same request with a search of the web, which those seats make that can: for their first texts, or for the answer of
 * one that answers alone. Who cannot runs without, and it is said, once for each model. A chat UI's own message is nothing
 * to search for.
 */
export function withWebSearch(request: EnsembleRequest, unsearchable: ModelFlaw): EnsembleRequest {
  if (request.errand) return request;
  const { panel, degraded = [] } = request;
  const flaw = answersAlone(request) ? aloneFlaw(request) : undefined;
  if (flaw !== undefined) return { ...request, webSearch: true, degraded: [...degraded, `No web search: ${flaw}`] };
  const seated = (seat: Seat): Seat => (unsearchable(seat.model) === undefined ? { ...seat, webSearch: true } : seat);
  const without = new Map(
    panel.participants.map(({ model }) => [model.id, { name: model.name, flaw: unsearchable(model) }]),
  );
  const said = [...without.values()].flatMap(({ name, flaw: why }) =>
    why === undefined ? [] : [`${name} ran without web search: ${why}`],
  );
  return {
    ...request,
    webSearch: true,
    panel: { participants: panel.participants.map(seated), arbiter: seated(panel.arbiter) },
    degraded: [...degraded, ...said],
  };
}

/** Feature that a model which answers alone cannot combine with a search: not every provider takes both in one call. */
function aloneFlaw({ tools, toolResults, answerForm, history }: EnsembleRequest): string | undefined {
  const hasTools = tools ?? toolResults ?? history.find(({ toolCalls }) => toolCalls);
  if (hasTools) return 'the request has tools of its own';
  return answerForm && 'the answer is to be JSON';
}
