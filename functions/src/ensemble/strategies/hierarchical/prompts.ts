import type { AuthoredText } from '../../../prompting/blind-labels';
import { DATA_RULE } from '../../../prompting/fence';
import type { FencedText, PromptBlock } from '../../../prompting/prompt-draft';
import { type AnalysisForm, CONFLICTS, LANGUAGE_RULE, MISSING } from '../../arbiter/analysis';
import { USERS_WISHES } from '../../waves/users-wishes';
import type { SharedPlan, WorkPlan } from './work-plan';

const PLAN_SHAPE = `Reply with one JSON object and nothing else. ${LANGUAGE_RULE}\n{"items": [{"title": a few words, "task": what to do, exactly}], "decisions": what is the same in all parts (names, interfaces, terms, style), decided once, as a list of short sentences, "checks": what the whole answer must satisfy, as a list of short sentences}`;

/** The strategist divides the work. */
export function planTask(itemsMax: number): PromptBlock[] {
  return [
    `Do not answer the message. You are the strategist: ${itemsMax === 1 ? 'put the work of answering it into one item' : `divide the work of answering it into at most ${itemsMax} items that can be done side by side, one if it is small`}, and say what a good result must satisfy, the language, form and length asked for included.`,
    PLAN_SHAPE,
  ];
}

/** What the reviewer has found, and its seat. */
interface Reviewed {
  readonly defects: readonly string[];
  readonly reviewer: string;
}

/** The strategist is called again because the plan itself is at fault. */
export function replanTask(
  plan: SharedPlan,
  { defects, itemsMax, reviewer }: Reviewed & { readonly itemsMax: number },
): PromptBlock[] {
  return [
    'You are the strategist for the message above. Your plan so far:',
    { title: 'plan', text: planText(plan), by: plan.by },
    'The reviewer finds the plan itself at fault:',
    { title: 'defects', text: lines(defects), by: reviewer },
    DATA_RULE,
    `Correct the plan: at most ${itemsMax} item${itemsMax === 1 ? '' : 's'}.`,
    PLAN_SHAPE,
  ];
}

/** What an implementer works from: an item of a plan, or the whole message where there is no plan. */
export interface Assignment {
  readonly plan: SharedPlan | undefined;
  /** The item's, from 1. */
  readonly number: number;
}

/** An implementer does its item. */
export function implementTask({ plan, number }: Assignment): PromptBlock[] {
  if (!plan?.items[number - 1])
    return ['Answer the message above completely: your answer will be reviewed.', USERS_WISHES];
  return [...planBlocks(plan), ...shareOf(plan, number), USERS_WISHES];
}

/** An implementer reworks its part. */
export function reworkTask(
  { plan, number }: Assignment,
  { own, defects, reviewer }: Reviewed & { readonly own: Omit<AuthoredText, 'label'> },
): PromptBlock[] {
  return [
    ...(plan?.items[number - 1] ? [...planBlocks(plan), ...shareOf(plan, number)] : []),
    'Your part so far:',
    { title: 'yours', text: own.text, by: own.seat.id },
    'The reviewer found:',
    { title: 'defects', text: lines(defects), by: reviewer },
    DATA_RULE,
    'Correct every defect that is one, and keep what is right. Write your complete part again.',
    USERS_WISHES,
  ];
}

/** The reviewer checks all parts against the plan. */
export function reviewTask(plan: SharedPlan | undefined, parts: readonly FencedText[]): PromptBlock[] {
  return [
    ...planBlocks(plan),
    plan ? 'The parts as they stand:' : 'Answers to the message above, each complete in itself:',
    ...parts,
    DATA_RULE,
    'You are the reviewer: check every part against the message, the language, form and length it asks for, and the plan with what it decides for all parts. Report only defects that matter, each with its item.',
    'Reply with one JSON object and nothing else:\n{"verdict": "approve" or "revise", "defects": [{"item": number of the part, or "plan" if the plan itself is at fault, "severity": "major" or "minor", "defect": what is wrong and how to correct it}]}',
  ];
}

/** What the arbiter assembles the answer from. */
export function assembledParts(
  plan: SharedPlan | undefined,
  { parts, defects, reviewer }: Reviewed & { readonly parts: readonly FencedText[] },
): PromptBlock[] {
  return [
    ...planBlocks(plan),
    plan ? 'The parts of the answer, by anonymous implementers:' : 'Complete answers, by anonymous implementers:',
    ...parts,
    ...(defects.length === 0
      ? []
      : ['Defects the reviewer still sees:', { title: 'defects', text: lines(defects), by: reviewer }]),
  ];
}

/** What the arbiter's analysis of the parts holds. */
export const PARTS_ANALYSIS: AnalysisForm = {
  ranked: false,
  parts: [
    { key: 'met', title: 'Requirements met', ask: 'checks that are met' },
    CONFLICTS,
    { ...MISSING, ask: 'what no part covers, or what is wrong' },
  ],
};

/** How the answer is made from parts. */
export const PARTS_ANSWER_TASK = [
  'Make the one answer to the message from the parts: in the order the message needs, without gaps and without repetition. Correct the defects that are open, and do yourself what is missing.',
];

/** What an implementer is to write; of a divided answer only its share. */
function shareOf({ items }: WorkPlan, number: number): string[] {
  if (items.length === 1)
    return ['You are the implementer of item 1, the only one: your text is to be the whole answer.'];
  return [
    `You are the implementer of item ${number}; others do the other items at the same time. Do your item completely, as the part of the answer it will become, and keep to what is decided for all parts. Do not do the other items.`,
    'A length that the user asks for is that of the whole answer: take only your share of it.',
  ];
}

function planBlocks(plan: SharedPlan | undefined): PromptBlock[] {
  if (!plan) return [];
  return ['The plan for answering the message above:', { title: 'plan', text: planText(plan), by: plan.by }];
}

function planText({ items, decisions, checks }: WorkPlan): string {
  const work = items.map(({ title, task }, index) => `${index + 1}. ${title === task ? title : `${title}: ${task}`}`);
  return [
    ...work,
    ...(decisions.length > 0 ? ['Decided for all parts:', lines(decisions)] : []),
    ...(checks.length > 0 ? ['The result must satisfy:', lines(checks)] : []),
  ].join('\n');
}

function lines(texts: readonly string[]): string {
  return texts.map((text) => `- ${text}`).join('\n');
}
