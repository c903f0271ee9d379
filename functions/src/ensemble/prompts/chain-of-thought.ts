import type { AnalysisForm } from '../analysis';
import type { Block, Conversation, PromptSheet } from '../sheet';
import { CHANGE_RULE, DATA_RULE, taskSheet } from './task';

/** Round 1: visible, numbered steps and a final line that can be compared. */
export function chainPrompt(conversation: Conversation): PromptSheet {
  return taskSheet(conversation, [
    'Work this out in numbered steps, each short enough to be checked on its own.',
    'Then end with one line of its own: "ANSWER: " and the final answer, as short as it can be said.',
  ]);
}

/** Round 2 and later: check one other chain step by step, then state your own again. */
export function checkPrompt(conversation: Conversation, own: string, peer: string | undefined): PromptSheet {
  return taskSheet(conversation, [
    'Your solution so far:',
    { title: 'yours', text: own },
    ...(peer === undefined
      ? ['Check your own solution step by step, as if a stranger had written it.']
      : [
          'The solution of another author:',
          { title: 'theirs', text: peer },
          'Check theirs step by step and find the first step that is wrong.',
        ]),
    DATA_RULE,
    `Then write your own solution again, in numbered steps. ${CHANGE_RULE}`,
    'End with two lines of their own: "CHECK: verified" if every step you checked is right, else "CHECK: step N: " and what is wrong with it; then "ANSWER: " and your final answer, as short as it can be said.',
  ]);
}

/** Chains that end in the same answer, as the arbiter reads them. */
export interface JudgedGroup {
  readonly answer: string;
  readonly chains: readonly { readonly label: string; readonly text: string; readonly check: string | undefined }[];
}

/** The chains, grouped by their final answer, with what their checkers found. */
export function groupedChains(groups: readonly JudgedGroup[]): Block[] {
  return [
    'Worked solutions, by anonymous authors, grouped by their final answer:',
    ...groups.flatMap(({ answer, chains }): Block[] => [
      { title: `final answer of ${chains.map(({ label }) => label).join(', ')}`, text: answer },
      ...chains.flatMap(({ label, text, check }): Block[] => [
        { title: label, text },
        ...(check === undefined ? [] : [{ title: `check of ${label}`, text: check, minor: true }]),
      ]),
    ]),
    'How many agree proves nothing; only the steps do.',
  ];
}

/** What the arbiter's analysis of chains holds. */
export const CHAIN_ANALYSIS: AnalysisForm = {
  noun: 'solution',
  ranked: true,
  parts: [
    { key: 'agreements', title: 'Shared steps', ask: 'steps that all solutions share' },
    {
      key: 'errors',
      title: 'First wrong steps',
      ask: 'for each wrong solution its label, its first wrong step and why',
    },
    { key: 'dissent', title: 'Dissent', ask: 'other final answers that may be right, and what they rest on' },
  ],
};

/** How the answer is made from chains. */
export const CHAIN_ANSWER_TASK = [
  'Decide which final answer is right by following the steps, not by counting. Then answer the message with a clean worked solution: only the steps that are needed, all correct, and the final answer stated plainly at the end.',
];
