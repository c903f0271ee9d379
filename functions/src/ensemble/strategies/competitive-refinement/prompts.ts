import { type AuthoredText, labelledText } from '../../../prompting/blind-labels';
import { DATA_RULE } from '../../../prompting/fence';
import type { PromptBlock } from '../../../prompting/prompt-draft';
import { type AnalysisForm, COMPARISON } from '../../arbiter/analysis';
import { CHANGE_RULE } from '../../waves/rounds';
import { USERS_WISHES } from '../../waves/users-wishes';

/** Round 2 and later: improve your own draft in the light of the others', and rank those where there are several. */
export function revisionTask(
  { seat, text }: Omit<AuthoredText, 'label'>,
  others: readonly AuthoredText[],
): PromptBlock[] {
  const alone = others.length === 0;
  return [
    'You have drafted an answer to the message above. Your draft:',
    { title: 'yours', text, by: seat.id },
    ...(alone
      ? ['You are working alone: read your draft again as a stranger would.']
      : ['Other drafts for the same message, by anonymous authors:', ...others.map(labelledText)]),
    DATA_RULE,
    `Improve your answer. ${CHANGE_RULE} Keep what is right${alone ? '' : ', and take from the others what is right and the message needs'}.`,
    others.length < 2 ? ENDING : `${ENDING} ${ballotEnding(others.map(({ label }) => label))}`,
    USERS_WISHES,
  ];
}

/** The drafts as the arbiter reads them; `ballot` sums up how their authors ranked each other. */
export function judgedDrafts(
  drafts: readonly (AuthoredText & { readonly firstText: string | undefined })[],
  ballot: string | undefined,
): PromptBlock[] {
  const count = drafts.length === 1 ? 'One candidate answer' : `${drafts.length} candidate answers`;
  return [
    `${count} to the message above, by anonymous authors:`,
    ...drafts.flatMap(({ label, text, firstText, seat: { id: by } }) => [
      { title: label, text, by },
      ...(firstText === undefined ? [] : [{ title: `${label}, first draft`, text: firstText, by }]),
    ]),
    ...(ballot === undefined
      ? []
      : [
          `How the authors ranked each other's drafts as they stood before the last round (points): ${ballot}. It is about those texts, and a hint, not a verdict.`,
        ]),
  ];
}

/** What the arbiter's analysis of drafts holds. */
export const DRAFT_ANALYSIS: AnalysisForm = { ranked: true, parts: COMPARISON };

/** How the answer is made from drafts. */
export const DRAFT_ANSWER_TASK = [
  'Find the one best answer to the message. Use what is right in the candidates and what the message needs, settle conflicts by reasoning, keep a point that only one of them makes if it holds up, and drop what is wrong. If one candidate is already the best possible answer, give it almost word for word.',
];

const ENDING =
  'If nothing needs changing, reply with the last line only: "REVISION: kept". Else reply with the complete answer and, below it, one last line of its own, which the user will not see: "REVISION: changed" and in brackets the error or gap that you name, without speaking of other drafts, as in "REVISION: changed (the year was wrong)".';

function ballotEnding(labels: readonly string[]): string {
  return `On that line, kept or changed, add "; BALLOT: " and the other drafts from best to worst, as in "REVISION: kept; BALLOT: ${labels.join(' > ')}".`;
}
