import type { AuthoredText } from '../../../prompting/blind-labels';
import { DATA_RULE } from '../../../prompting/fence';
import type { PromptBlock } from '../../../prompting/prompt-draft';
import { type AnalysisForm, COMPARISON, LANGUAGE_RULE } from '../../arbiter/analysis';
import { CHANGE_RULE, statusWords, WORKING_WORDS } from '../../waves/task-words';
import type { Lens } from './lenses';

/** Tokens of one point of view; the choice is to be quick. */
const TOKENS_A_LENS = 40;

/** Before round 1 the arbiter chooses points of view for this very message. It is shown the conversation only. */
export function lensesTask(count: number): PromptBlock[] {
  const experts =
    count === 1
      ? 'the one expert who would answer it best'
      : `${count} experts with clearly different points of view who together would answer it best`;
  return [
    `Do not answer the user's message. Choose ${experts}.`,
    `Reply with one JSON object and nothing else, in at most ${Math.max(200, TOKENS_A_LENS * count)} tokens. ${LANGUAGE_RULE}\n{"lenses": [{"name": two or three words, "focus": what this expert looks at, in one short sentence}]}`,
  ];
}

/** Round 1: an opinion from one point of view, without having seen another. */
export function opinionTask(lens: Lens): PromptBlock[] {
  return [
    role(lens),
    'Answer as this expert; others cover other points of view. If the question has one plain answer, give just that. If it needs weighing, add the claims your answer rests on and how sure you are of each.',
    WORKING_WORDS,
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
      ? []
      : [
          'The other experts, by point of view:',
          ...others.map((other) => ({ title: `expert: ${other.lens.name}`, text: other.text, by: other.seat.id })),
        ]),
    DATA_RULE,
    `Check ${others.length === 0 ? 'your claims one by one, as a sceptical colleague would' : "the others' claims one by one: do you concur or dissent? Then check your own opinion"}. ${CHANGE_RULE}`,
    `${statusWords('your whole opinion', DISSENT)} It holds your answer and, only if you dispute claims of others, which ones and why.`,
    WORKING_WORDS,
  ];
}

/** The opinions as the arbiter, in the chair, reads them. */
export function panelOpinions(opinions: readonly (AuthoredText & Opinion)[]): PromptBlock[] {
  const count = opinions.length === 1 ? 'The opinion of one expert' : `The opinions of ${opinions.length} experts`;
  return [
    `${count} on the user's message, anonymous but for their point of view:`,
    ...opinions.map(({ label, lens, text, seat }) => ({ title: `${label}, ${lens.name}`, text, by: seat.id })),
  ];
}

/** Form of the chair's analysis. */
export const OPINION_ANALYSIS: AnalysisForm = { ranked: false, parts: COMPARISON };

/** Task of the chair. */
export const OPINION_ANSWER_TASK = [
  'If the question has one plain answer, give that and leave the points of view aside. If it needs weighing, give a clear recommendation: where the points of view agree; where they do not, what each rests on and which one you follow; and any sound warning, even of one expert. Then you may speak of points of view (“legally”, “for a beginner”), never of who wrote what. Add what all of them miss.',
];

const DISSENT =
  'On the same line, add "; DISSENT: none", or "; DISSENT: new" if you now dispute a claim that you had not disputed before. ';

function role({ name, focus }: Lens): string {
  return `You answer as the ${name}. Your point of view: ${focus}`;
}
