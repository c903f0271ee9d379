import type { AuthoredText } from '../../../prompting/blind-labels';
import { DATA_RULE } from '../../../prompting/fence';
import type { PromptBlock } from '../../../prompting/prompt-draft';
import { AGREEMENTS, type AnalysisForm, MAJORITY_RULE, MISSING } from '../../arbiter/analysis';
import { CHANGE_RULE, statusWords, WORKING_WORDS } from '../../waves/task-words';
import type { ChainGroup } from './chain';

const STEPS =
  'in numbered steps, each short enough to check on its own, if there is something to work out or the user wants to see the steps; otherwise without steps';
const ANSWER_LINE =
  'the line "ANSWER: " with the final answer, as short as possible. If the answer is a longer text or code, write it in full above and only its gist on that line.';

/** Round 1: visible, numbered steps where they help, and a final line that can be compared. */
export const CHAIN_TASK = [`Solve it ${STEPS}. End with ${ANSWER_LINE}`, WORKING_WORDS];

type Author = Omit<AuthoredText, 'label'>;

/** Round 2 and later: check one other chain step by step, then correct your own, if need be. */
export function checkTask(own: Author, peer: Author | undefined): PromptBlock[] {
  return [
    'Your solution so far:',
    { title: 'yours', text: own.text, by: own.seat.id },
    ...(peer === undefined
      ? []
      : ['The solution of another author:', { title: 'theirs', text: peer.text, by: peer.seat.id }]),
    DATA_RULE,
    `Check ${peer === undefined ? 'your solution as a stranger would' : 'theirs'} step by step, and name the first step that is wrong, if any is. Then check your own. ${CHANGE_RULE}`,
    `${statusWords('your whole corrected solution', '', TWO_LINES)} Write it ${STEPS}, and end with ${ANSWER_LINE}`,
    WORKING_WORDS,
  ];
}

/** The chains, grouped by their final answer, with what their checkers found; `mask` hides names of models. */
export function groupedChains(groups: readonly ChainGroup[], mask: (text: string) => string): PromptBlock[] {
  return [
    "Solutions to the user's problem, by anonymous authors, grouped by their final answer:",
    ...groups.flatMap(({ answer, chains }): PromptBlock[] => [
      {
        title: `final answer of ${chains.map(({ label }) => label).join(', ')}`,
        text: mask(answer),
        by: chains.map(({ seat }) => seat.id),
      },
      ...chains.flatMap(({ label, text, check, seat }): PromptBlock[] => [
        { title: label, text, by: seat.id },
        ...(check ? [{ title: `check of ${label}`, text: mask(check.finding), minor: true, by: check.by }] : []),
      ]),
    ]),
  ];
}

/** Form of the arbiter's analysis of chains. */
export const CHAIN_ANALYSIS: AnalysisForm = {
  ranked: true,
  parts: [
    AGREEMENTS,
    { key: 'errors', title: 'First wrong steps', ask: 'each wrong solution: label, first wrong step, and why' },
    { key: 'dissent', title: 'Dissent', ask: 'other final answers that may be right, and what they rest on' },
    MISSING,
  ],
};

/** Task of the author of the answer. */
export const CHAIN_ANSWER_TASK = [
  `Follow the steps and decide which final answer is right. ${MAJORITY_RULE} Then answer the user. Show steps only if the user wants them or the answer cannot be followed without them: only those needed, all correct, and the final answer plainly at the end.`,
];

const TWO_LINES =
  'Begin with two lines for the service, in these English words. The first: "CHECK: verified" if every step you checked is right, or "CHECK: step N: " and what is wrong with it. The second: ';
