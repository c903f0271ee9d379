import { conversationOf } from './conversation';
import { implementPrompt, planPrompt, reworkPrompt } from './prompts/hierarchical';
import { type Question, question } from './question';
import type { EnsembleRequest, Run } from './run';
import { crewOf, type Work, type Worker } from './work';
import { defectsOf, planDefectsOf } from './work-review';

/** The first call of all: the strategist's. */
export function planQuestion(request: EnsembleRequest, id: string): Question {
  const { strategist: seat, implementers } = crewOf(request.panel);
  const asked = { callId: 'plan', seat, purpose: 'plan', round: 0 } as const;
  return question(asked, planPrompt(conversationOf({ id, request }), implementers.length));
}

/** Whose turn it is. */
interface WorkTurn {
  readonly worker: Worker;
  readonly round: number;
}

/** An implementer's item, or its part with what the reviewer found. */
export function workQuestion(
  run: Run,
  { plan, review }: Work,
  { worker, round }: WorkTurn,
): Question & { readonly player: Worker } {
  const { seat, number, text: own } = worker;
  const assignment = { plan, number, item: plan?.items[number - 1] };
  const defects = review ? [...planDefectsOf(review), ...defectsOf(review, number)].map(run.mask) : [];
  const first = own === '' || defects.length === 0;
  const conversation = conversationOf(run);
  const sheet = first
    ? implementPrompt(conversation, assignment)
    : reworkPrompt(conversation, { assignment, own, defects });
  const purpose = first ? ('draft' as const) : ('revise' as const);
  return question({ callId: `r${round}.${seat.id}`, seat, purpose, round, player: worker }, sheet);
}
