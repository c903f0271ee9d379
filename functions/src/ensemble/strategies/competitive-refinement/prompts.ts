import { type AuthoredText, labelledText } from '../../../prompting/blind-labels';
import { DATA_RULE } from '../../../prompting/fence';
import type { PromptBlock } from '../../../prompting/prompt-draft';
import { type AnalysisForm, COMPARISON } from '../../arbiter/analysis';
import { CHANGE_RULE, statusWords, WORKING_WORDS } from '../../waves/task-words';

/** Round 2 and later: a check of one's own draft against the others', with a ranking of those where there are several. */
export function revisionTask(
  { seat, text }: Omit<AuthoredText, 'label'>,
  others: readonly AuthoredText[],
): PromptBlock[] {
  const alone = others.length === 0;
  return [
    "Your answer to the user's message:",
    { title: 'yours', text, by: seat.id },
    ...(alone ? [] : ['Answers by anonymous authors:', ...others.map(labelledText)]),
    DATA_RULE,
    `Check your answer ${alone ? 'as a stranger would' : 'against theirs'}. ${CHANGE_RULE}${alone ? '' : ' A gap is what another has right and yours lacks, if the user needs it.'}`,
    statusWords('the whole corrected answer', others.length < 2 ? '' : BALLOT),
    WORKING_WORDS,
  ];
}

/** The drafts as the arbiter reads them, why they were changed, and, in `ballot`, how their authors ranked each other. */
export function judgedDrafts(
  drafts: readonly (AuthoredText & { readonly changed?: string })[],
  ballot: string | undefined,
): PromptBlock[] {
  const count = drafts.length === 1 ? 'One candidate answer' : `${drafts.length} candidate answers`;
  const changes = drafts.flatMap(({ label, changed, seat }) =>
    changed === undefined ? [] : [{ line: `${label}: ${changed}`, by: seat.id }],
  );
  return [
    `${count} to the user's message, by anonymous authors:`,
    ...drafts.map(labelledText),
    ...(changes.length === 0
      ? []
      : [
          'What their authors say they corrected:',
          { title: 'corrections', text: changes.map(({ line }) => line).join('\n'), by: changes.map(({ by }) => by) },
        ]),
    ...(ballot === undefined
      ? []
      : [
          `How the authors ranked each other's drafts before the last round (points): ${ballot}. It is a hint, not a verdict.`,
        ]),
  ];
}

/** Form of the arbiter's analysis of drafts. */
export const DRAFT_ANALYSIS: AnalysisForm = { ranked: true, parts: COMPARISON };

/** Task of the author of the answer. */
export const DRAFT_ANSWER_TASK = [
  'The candidates are sources, not votes. Where they differ, work out which is right. Keep every correct point, even of one candidate; but confirm for yourself any name, number, quotation, citation or API that only one gives. Add what all of them miss. Code, verse and other texts of one voice: repair the best candidate, do not mix several. If a candidate is perfect, return it unchanged.',
];

const BALLOT =
  'On the same line, after "; BALLOT: ", list the letters of their answers, the best first, with ">" between them. ';
