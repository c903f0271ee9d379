import { type Labelled, labelledText } from '../../../prompting/blind-labels';
import { DATA_RULE } from '../../../prompting/fence';
import type { PromptBlock } from '../../../prompting/prompt-draft';
import { type AnalysisForm, CONFLICTS } from '../../arbiter/analysis';
import { CHANGE_RULE } from '../../waves/rounds';

/** Round 2 and later: improve your own draft in the light of the others', and rank them. */
export function revisionTask(own: string, others: readonly Labelled[]): PromptBlock[] {
  const alone = others.length === 0;
  return [
    'You have drafted an answer to the message above. Your draft:',
    { title: 'yours', text: own },
    ...(alone
      ? ['You are working alone: read your draft again as a stranger would.']
      : ['Other drafts for the same message, by anonymous authors:', ...others.map(labelledText)]),
    DATA_RULE,
    `Improve your answer. ${CHANGE_RULE} Keep what is right${alone ? '' : ', and add what others have right and you lack'}.`,
    'Write the complete improved answer for the user, without mentioning drafts or this review.',
    alone ? ENDING : `${ENDING} ${ballotEnding(others.map(({ label }) => label))}`,
  ];
}

/** The drafts as the arbiter reads them; `ballot` sums up how their authors ranked each other. */
export function judgedDrafts(
  drafts: readonly (Labelled & { readonly firstText: string | undefined })[],
  ballot: string | undefined,
): PromptBlock[] {
  const count = drafts.length === 1 ? 'One candidate answer' : `${drafts.length} candidate answers`;
  return [
    `${count} to the message above, by anonymous authors:`,
    ...drafts.flatMap(({ label, text, firstText }) => [
      { title: label, text },
      ...(firstText === undefined ? [] : [{ title: `${label}, first draft`, text: firstText }]),
    ]),
    ...(ballot === undefined
      ? []
      : [`How the authors ranked each other's drafts (points): ${ballot}. A hint, not a verdict.`]),
  ];
}

/** What the arbiter's analysis of drafts holds. */
export const DRAFT_ANALYSIS: AnalysisForm = {
  noun: 'candidate',
  ranked: true,
  parts: [
    { key: 'agreements', title: 'Agreed', ask: 'points all share' },
    CONFLICTS,
    {
      key: 'unique',
      title: 'In one candidate only',
      ask: 'valuable points only one candidate has, each with its label',
    },
    { key: 'dissent', title: 'Dissent', ask: 'minority views that deserve mention' },
  ],
};

/** How the answer is made from drafts. */
export const DRAFT_ANSWER_TASK = [
  'Write the one best answer to the message. Use what is right in the candidates, settle conflicts by reasoning, keep valuable points that only one of them makes, and drop what is wrong. If one candidate is already the best possible answer, you may keep it almost word for word.',
];

const ENDING =
  'Then end with one line of its own: "REVISION: kept" if nothing needed changing, else "REVISION: changed".';

function ballotEnding(labels: readonly string[]): string {
  return `On the same line add "; BALLOT: " and the other drafts from best to worst, as in "REVISION: changed; BALLOT: ${labels.join(' > ')}".`;
}
