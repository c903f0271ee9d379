import type { AuthoredText } from '../../../prompting/blind-labels';
import { DATA_RULE } from '../../../prompting/fence';
import type { PromptBlock } from '../../../prompting/prompt-draft';
import { AGREEMENTS, type AnalysisForm, MISSING } from '../../arbiter/analysis';
import { CHANGE_RULE } from '../../waves/rounds';
import { USERS_WISHES } from '../../waves/users-wishes';
import type { ChainGroup } from './chain-groups';

const STEPS =
  'in numbered steps, each short enough to be checked on its own, if there is something to work out or the user wants to see the steps; else without any';
const ANSWER_LINE =
  '"ANSWER: " and the final answer, as short as it can be said. If the answer is a longer text or code, write it in full above, and on that line only what it comes to.';

/** Round 1: visible, numbered steps where they help, and a final line that can be compared. */
export const CHAIN_TASK = [
  `Work the message out ${STEPS}.`,
  `Reply with that and, below it, one last line of its own, which the user will not see: ${ANSWER_LINE}`,
  USERS_WISHES,
];

type Author = Omit<AuthoredText, 'label'>;

/** Round 2 and later: check one other chain step by step, then correct your own, if need be. */
export function checkTask(own: Author, peer: Author | undefined): PromptBlock[] {
  return [
    'Your solution so far:',
    { title: 'yours', text: own.text, by: own.seat.id },
    ...(peer === undefined
      ? ['Check your own solution step by step, as if a stranger had written it.']
      : [
          'The solution of another author:',
          { title: 'theirs', text: peer.text, by: peer.seat.id },
          'Check theirs step by step and find the first step that is wrong.',
        ]),
    DATA_RULE,
    'Say what you found in one line: "CHECK: verified" if every step you checked is right, or "CHECK: step N: " and what is wrong with it.',
    `Then improve your own solution. ${CHANGE_RULE} If nothing in it needs changing, reply with the CHECK line only.`,
    `Else reply with your whole solution as it is now and, below it, three last lines of their own, which the user will not see: the CHECK line; "REVISION: changed" and in brackets the error or gap that you name in yours, as in "REVISION: changed (step 2 left out the tax)"; and ${ANSWER_LINE} Write the solution ${STEPS}.`,
    USERS_WISHES,
  ];
}

/** The chains, grouped by their final answer, with what their checkers found; `mask` hides names of models. */
export function groupedChains(groups: readonly ChainGroup[], mask: (text: string) => string): PromptBlock[] {
  return [
    'Worked solutions, by anonymous authors, grouped by their final answer:',
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
    'How many agree proves nothing; only the steps do.',
  ];
}

/** What the arbiter's analysis of chains holds. */
export const CHAIN_ANALYSIS: AnalysisForm = {
  ranked: true,
  parts: [
    AGREEMENTS,
    { key: 'errors', title: 'First wrong steps', ask: 'each wrong solution: label, first wrong step, and why' },
    { key: 'dissent', title: 'Dissent', ask: 'other final answers that may be right, and what they rest on' },
    MISSING,
  ],
};

/** How the answer is made from chains. */
export const CHAIN_ANSWER_TASK = [
  'Decide which final answer is right by following the steps, not by counting. Then answer the message. Show steps only if the user wants them or the answer cannot be followed without them: only those that are needed, all correct, with the final answer plainly at the end.',
];
