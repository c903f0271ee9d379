import { type AuthoredText, labelledText } from '../../../prompting/blind-labels';
import { DATA_RULE } from '../../../prompting/fence';
import type { PromptBlock } from '../../../prompting/prompt-draft';
import { type AnalysisForm, COMPARISON } from '../../arbiter/analysis';
import { USERS_WISHES } from '../../waves/users-wishes';

/** What several share is not therefore right, and what one alone claims may be invented. */
const KEEP_RULE =
  'Keep what is right and what the message needs. A claim that only one contribution makes stays if you can confirm it or it follows from what is known; else mark it as uncertain, or leave it out. Names, numbers, quotations and citations need most care: pass on none that may be invented.';

/** Round 2 and later: one integrated answer from all contributions, none in particular. */
export function integrationTask(contributions: readonly AuthoredText[]): PromptBlock[] {
  return [
    'Several people have contributed to an answer to the message above. Their contributions, in no order:',
    ...contributions.map(labelledText),
    DATA_RULE,
    `Write one complete answer that unites them. ${KEEP_RULE} Add what the message needs and all of them miss, and correct what is wrong. Where they contradict each other, decide what is right by reasoning. Do not rank them and do not take sides.`,
    'If one contribution already is that answer and nothing in it needs changing, reply with the last line only: "REVISION: kept". Else reply with the complete answer and, below it, one last line of its own, which the user will not see: "REVISION: changed" and in brackets the error or gap that you name, without speaking of other texts, as in "REVISION: changed (the dose for children was missing)".',
    USERS_WISHES,
  ];
}

/** The contributions as the arbiter reads them. */
export function pooledContributions(contributions: readonly AuthoredText[]): PromptBlock[] {
  const count = contributions.length === 1 ? 'One contribution' : `${contributions.length} contributions`;
  return [`${count} to an answer to the message above, by anonymous authors:`, ...contributions.map(labelledText)];
}

/** What the arbiter's analysis of contributions holds. */
export const CONTRIBUTION_ANALYSIS: AnalysisForm = {
  ranked: false,
  parts: [
    { key: 'provenance', title: 'Where the parts come from', ask: 'main parts of an answer, each with its labels' },
    ...COMPARISON,
  ],
};

/** How the answer is made from contributions. */
export const CONTRIBUTION_ANSWER_TASK = [
  `Unite the contributions in one answer to the message. ${KEEP_RULE} Say each thing once, in the order the message needs.`,
  'Where contributions conflict, decide by reasoning; where that is not possible and it matters, say that views differ and what each rests on.',
];
