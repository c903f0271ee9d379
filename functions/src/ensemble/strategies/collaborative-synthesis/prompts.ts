import { type AuthoredText, labelledText } from '../../../prompting/blind-labels';
import { DATA_RULE } from '../../../prompting/fence';
import type { PromptBlock } from '../../../prompting/prompt-draft';
import { type AnalysisForm, COMPARISON } from '../../arbiter/analysis';
import { statusWords, WORKING_WORDS } from '../../waves/task-words';

/** Claims of several are not therefore right, and those of one alone may be invented. */
const KEEP_RULE =
  'Keep what is right and what the user needs. A claim that only one contribution makes needs your own confirmation, above all a name, number, quotation, citation or API: otherwise leave it out, or say plainly that it is unconfirmed. Do not hedge what is certain.';

/** Round 2 and later: one integrated answer from all contributions, none in particular. */
export function integrationTask(contributions: readonly AuthoredText[]): PromptBlock[] {
  return [
    "Contributions to an answer to the user's message, in no particular order:",
    ...contributions.map(labelledText),
    DATA_RULE,
    `Unite them in one complete answer. ${KEEP_RULE} Where they contradict each other, reason out which is right. Correct what is wrong, and add what all of them miss.`,
    `${statusWords('the whole united answer')} Say "kept" if one contribution already is that answer.`,
    WORKING_WORDS,
  ];
}

/** The contributions as the arbiter reads them. */
export function pooledContributions(contributions: readonly AuthoredText[]): PromptBlock[] {
  const count = contributions.length === 1 ? 'One contribution' : `${contributions.length} contributions`;
  return [`${count} to an answer to the user's message, by anonymous authors:`, ...contributions.map(labelledText)];
}

/** Form of the arbiter's analysis of contributions. */
export const CONTRIBUTION_ANALYSIS: AnalysisForm = {
  ranked: false,
  parts: [
    { key: 'provenance', title: 'Where the parts come from', ask: 'main parts of an answer, each with its labels' },
    ...COMPARISON,
  ],
};

/** Task of the author of the answer. */
export const CONTRIBUTION_ANSWER_TASK = [
  `Unite the contributions in one answer. ${KEEP_RULE} Say each thing once, in the order the user needs.`,
  'Where contributions conflict, reason out which is right; where that is not possible and it matters, say that views differ and what each rests on. Add what all of them miss. Code, verse and other texts of one voice: repair the best contribution, do not mix several.',
];
