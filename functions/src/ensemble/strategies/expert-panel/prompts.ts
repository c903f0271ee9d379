import type { AuthoredText } from '../../../prompting/blind-labels';
import { DATA_RULE } from '../../../prompting/fence';
import type { PromptBlock } from '../../../prompting/prompt-draft';
import { type AnalysisForm, COMPARISON, LANGUAGE_RULE } from '../../arbiter/analysis';
import { CHANGE_RULE } from '../../waves/rounds';
import { USERS_WISHES } from '../../waves/users-wishes';
import type { Lens } from './lenses';

/** What one point of view takes to write down; the choice is to be quick. */
const TOKENS_A_LENS = 40;

/** Before round 1 the arbiter chooses points of view for this very message. It is shown the conversation only. */
export function lensesTask(count: number): PromptBlock[] {
  const experts =
    count === 1
      ? 'the one expert who would answer it best'
      : `${count} experts with clearly different points of view who together would answer it best`;
  return [
    `Do not answer the message. Choose ${experts}.`,
    `Reply with one JSON object and nothing else, in at most ${Math.max(200, TOKENS_A_LENS * count)} tokens. ${LANGUAGE_RULE}\n{"lenses": [{"name": two or three words, "focus": what this expert looks at, in one short sentence}]}`,
  ];
}

/** Round 1: an opinion from one point of view, without having seen another. */
export function opinionTask(lens: Lens): PromptBlock[] {
  return [
    role(lens),
    'Answer the message as this expert; others cover other points of view. Only if it needs weighing, add the claims your answer rests on and how sure you are of each. If it has one plain answer, give just that.',
    USERS_WISHES,
  ];
}

/** An expert's last opinion and its point of view. */
export interface Opinion extends Omit<AuthoredText, 'label'> {
  readonly lens: Lens;
}

/** Round 2 and later: agree or dissent claim by claim, then state the opinion again. */
export function reconsiderTask({ lens, text, seat }: Opinion, others: readonly Opinion[]): PromptBlock[] {
  return [
    role(lens),
    'Your opinion so far:',
    { title: 'yours', text, by: seat.id },
    ...(others.length === 0
      ? ['You are working alone: read your opinion again as a sceptical colleague would.']
      : [
          'The other experts, by point of view:',
          ...others.map((other) => ({ title: `expert: ${other.lens.name}`, text: other.text, by: other.seat.id })),
        ]),
    DATA_RULE,
    `${others.length === 0 ? 'Check your claims one by one, and correct what is wrong.' : 'Check the claims of the others one by one: for each, do you concur or dissent?'} ${CHANGE_RULE}`,
    'Reply with your complete opinion as it is now: your answer to the message and, only if you dispute claims of others, which ones and why. Below it write one last line of its own, which the user will not see: "DISSENT: none" if nothing is disputed that was not disputed before, else "DISSENT: new". If nothing changes in your opinion, reply with that line only.',
    USERS_WISHES,
  ];
}

/** The opinions as the arbiter, in the chair, reads them. */
export function panelOpinions(opinions: readonly (AuthoredText & Opinion)[]): PromptBlock[] {
  const count = opinions.length === 1 ? 'The opinion of one expert' : `The opinions of ${opinions.length} experts`;
  return [
    `${count} on the message above, anonymous but for their point of view:`,
    ...opinions.map(({ label, lens, text, seat }) => ({ title: `${label}, ${lens.name}`, text, by: seat.id })),
  ];
}

/** What the chair's analysis holds. */
export const OPINION_ANALYSIS: AnalysisForm = { ranked: false, parts: COMPARISON };

/** How the chair answers. */
export const OPINION_ANSWER_TASK = [
  'Answer the message. If it has one plain answer, give that and leave the points of view aside. Only if it needs weighing, give a clear recommendation: say where the points of view agree; where they do not, say what each rests on and which one you follow; keep a warning that only one of them gives when it is sound. Then you may speak of points of view (“legally”, “for a beginner”), never of who wrote what.',
];

function role({ name, focus }: Lens): string {
  return `For this message you are the ${name}. Your point of view: ${focus}`;
}
