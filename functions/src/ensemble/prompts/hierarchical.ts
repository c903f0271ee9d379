import type { AnalysisForm } from '../analysis';
import type { Block, Conversation, Exhibit, PromptSheet } from '../sheet';
import type { WorkItem, WorkPlan } from '../work-plan';
import { CONFLICTS, DATA_RULE, taskSheet } from './task';

/** The strategist divides the work. */
export function planPrompt(conversation: Conversation, itemsMax: number): PromptSheet {
  return taskSheet(conversation, [
    `Do not answer the message. You are the strategist: ${itemsMax === 1 ? 'put the work of answering it into one item' : `divide the work of answering it into at most ${itemsMax} items that can be done side by side`}, and say what a good result must satisfy.`,
    planShape(),
  ]);
}

/** The strategist is called again because the plan itself is at fault. */
export function replanPrompt(
  conversation: Conversation,
  {
    plan,
    defects,
    itemsMax,
  }: { readonly plan: WorkPlan; readonly defects: readonly string[]; readonly itemsMax: number },
): PromptSheet {
  return taskSheet(conversation, [
    'You are the strategist for the message above. Your plan so far:',
    { title: 'plan', text: planText(plan) },
    'The reviewer finds the plan itself at fault:',
    { title: 'defects', text: lines(defects) },
    DATA_RULE,
    `Correct the plan: at most ${itemsMax} item${itemsMax === 1 ? '' : 's'}.`,
    planShape(),
  ]);
}

/** What an implementer works from: an item of a plan, or the whole message where there is no plan. */
export interface Assignment {
  readonly plan: WorkPlan | undefined;
  readonly number: number;
  readonly item: WorkItem | undefined;
}

/** An implementer does its item. */
export function implementPrompt(conversation: Conversation, { plan, number, item }: Assignment): PromptSheet {
  if (!plan || !item) {
    return taskSheet(conversation, ['Answer the message above completely: your answer will be reviewed.']);
  }
  return taskSheet(conversation, [
    ...planBlocks(plan),
    `You are the implementer of item ${number}; others do the other items at the same time.`,
    'Do your item completely, as the part of the answer it will become. Do not do the other items.',
  ]);
}

/** An implementer reworks its part. */
export function reworkPrompt(
  conversation: Conversation,
  {
    assignment,
    own,
    defects,
  }: { readonly assignment: Assignment; readonly own: string; readonly defects: readonly string[] },
): PromptSheet {
  const { plan, number, item } = assignment;
  return taskSheet(conversation, [
    ...(plan && item ? [...planBlocks(plan), `You are the implementer of item ${number}.`] : []),
    'Your part so far:',
    { title: 'yours', text: own },
    'The reviewer found:',
    { title: 'defects', text: lines(defects) },
    DATA_RULE,
    'Correct every defect that is one, and keep what is right. Write your complete part again, without mentioning the review.',
  ]);
}

/** The reviewer checks all parts against the plan. */
export function reviewPrompt(
  conversation: Conversation,
  { plan, parts }: { readonly plan: WorkPlan | undefined; readonly parts: readonly Exhibit[] },
): PromptSheet {
  return taskSheet(conversation, [
    ...(plan ? planBlocks(plan) : []),
    plan ? 'The parts as they stand:' : 'Answers to the message above, each complete in itself:',
    ...parts,
    DATA_RULE,
    'You are the reviewer: check every part against the message and the plan. Report only defects that matter, each with its item.',
    'Reply with one JSON object and nothing else:\n{"verdict": "approve" or "revise", "defects": [{"item": number of the part, or "plan" if the plan itself is at fault, "severity": "major" or "minor", "defect": what is wrong and how to correct it}]}',
  ]);
}

/** What the arbiter assembles the answer from. */
export function assembledParts(
  plan: WorkPlan | undefined,
  { parts, open }: { readonly parts: readonly Exhibit[]; readonly open: readonly string[] },
): Block[] {
  return [
    ...(plan ? planBlocks(plan) : []),
    plan ? 'The parts of the answer, by anonymous implementers:' : 'Complete answers, by anonymous implementers:',
    ...parts,
    ...(open.length === 0 ? [] : ['Defects the reviewer still sees:', { title: 'defects', text: lines(open) }]),
  ];
}

/** What the arbiter's analysis of the parts holds. */
export const PARTS_ANALYSIS: AnalysisForm = {
  noun: 'part',
  ranked: false,
  parts: [
    { key: 'met', title: 'Requirements met', ask: 'checks that are met' },
    CONFLICTS,
    { key: 'missing', title: 'Missing or wrong', ask: 'what no part covers, or what is wrong' },
  ],
};

/** How the answer is made from parts. */
export const PARTS_ANSWER_TASK = [
  'Assemble the one answer to the message from the parts: in the order the message needs, without gaps and without repetition. Correct the defects that are open, and do yourself what is missing.',
];

function planBlocks(plan: WorkPlan): Block[] {
  return ['The plan for answering the message above:', { title: 'plan', text: planText(plan) }];
}

function planText({ items, checks }: WorkPlan): string {
  const work = items.map(({ title, task }, index) => `${index + 1}. ${title === task ? title : `${title}: ${task}`}`);
  return [...work, ...(checks.length > 0 ? ['The result must satisfy:', lines(checks)] : [])].join('\n');
}

function planShape(): string {
  return 'Reply with one JSON object and nothing else:\n{"items": [{"title": a few words, "task": what to do, exactly}], "checks": what the whole answer must satisfy, as a list of short sentences}';
}

function lines(texts: readonly string[]): string {
  return texts.map((text) => `- ${text}`).join('\n');
}
