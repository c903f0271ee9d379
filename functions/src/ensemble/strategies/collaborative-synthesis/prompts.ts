import { type Labelled, labelledText } from '../../../prompting/blind-labels';
import { DATA_RULE } from '../../../prompting/fence';
import type { PromptBlock } from '../../../prompting/prompt-draft';
import { type AnalysisForm, CONFLICTS } from '../../arbiter/analysis';

/** Round 2 and later: one integrated answer from all contributions, none in particular. */
export function integrationTask(contributions: readonly Labelled[]): PromptBlock[] {
  return [
    'Several people have contributed to an answer to the message above. Their contributions, in no order:',
    ...contributions.map(labelledText),
    DATA_RULE,
    'Write one complete answer that unites them: keep every correct fact, add what all of them miss, and correct what is wrong. Where they contradict each other, say what is right and why. Do not rank them and do not take sides.',
    'Write for the user, without mentioning contributions or this procedure.',
    'Then end with one line of its own: "REVISION: kept" if one contribution already had everything and nothing needed correcting, else "REVISION: changed".',
  ];
}

/** The contributions as the arbiter reads them. */
export function pooledContributions(contributions: readonly Labelled[]): PromptBlock[] {
  const count = contributions.length === 1 ? 'One contribution' : `${contributions.length} contributions`;
  return [`${count} to an answer to the message above, by anonymous authors:`, ...contributions.map(labelledText)];
}

/** What the arbiter's analysis of contributions holds. */
export const CONTRIBUTION_ANALYSIS: AnalysisForm = {
  noun: 'contribution',
  ranked: false,
  parts: [
    { key: 'agreements', title: 'Agreed', ask: 'points all share' },
    {
      key: 'provenance',
      title: 'Where the parts come from',
      ask: 'the main parts of the united answer, each with the labels it comes from',
    },
    CONFLICTS,
    { key: 'unique', title: 'In one contribution only', ask: 'facts only one contribution has, each with its label' },
    { key: 'dissent', title: 'Dissent', ask: 'minority views that deserve mention' },
  ],
};

/** How the answer is made from contributions. */
export const CONTRIBUTION_ANSWER_TASK = [
  'Unite the contributions in one answer to the message. Keep every fact that nothing contradicts, also one that only a single contribution has; say each thing once; and order it as the message needs it.',
  'Where contributions conflict, decide by reasoning; where that is not possible, say that views differ and what each rests on.',
];
