import type { AuthoredText } from '../../../prompting/blind-labels';
import { DATA_RULE } from '../../../prompting/fence';
import type { FencedText, PromptBlock } from '../../../prompting/prompt-draft';
import { type AnalysisForm, CONFLICTS, LANGUAGE_RULE, MISSING } from '../../arbiter/analysis';
import { PART_WORDS, statusWords, WORKING_WORDS } from '../../waves/task-words';
import type { WorkPlan } from './replies';

/** A plan that others work by, and the seat whose it is. */
export interface SharedPlan extends WorkPlan {
  readonly by: string;
}

const PLAN_SHAPE = `Reply with one JSON object and nothing else. ${LANGUAGE_RULE}\n{"items": [{"title": a few words, "task": what to do, exactly, with any facts only you have}], "decisions": what is the same in all parts (names, interfaces, terms, style), decided once, as a list of short sentences, "checks": what the whole answer must satisfy, as a list of short sentences}`;

export function planTask(itemsMax: number): PromptBlock[] {
  return [
    `You are the strategist. Do not answer the user's message yourself: ${itemsMax === 1 ? 'put the work of answering it into one item' : `divide the work of answering it into at most ${itemsMax} items that can be done side by side, or one if it is small`}, and say what a good result must satisfy, including the language, format and length asked for.`,
    PLAN_SHAPE,
  ];
}

/** Defects that the reviewer, of this seat, has found, as others are shown them. */
export function defectsFound(by: string, defects: readonly string[]): FencedText {
  return { title: 'defects', text: lines(defects), by };
}

export function replanTask(plan: SharedPlan, defects: FencedText, itemsMax: number): PromptBlock[] {
  return [
    "You are the strategist for the user's message. Your plan so far:",
    fencedPlan(plan),
    'The reviewer finds the plan itself at fault:',
    defects,
    DATA_RULE,
    `Correct the plan: at most ${itemsMax} item${itemsMax === 1 ? '' : 's'}.`,
    PLAN_SHAPE,
  ];
}

/** An implementer does its item of the plan, or the whole message where there is none, or corrects what it has. */
export function partTask(
  plan: SharedPlan | undefined,
  own: Omit<AuthoredText, 'label'> & { readonly number: number },
  defects?: FencedText,
): PromptBlock[] {
  const former = defects && [
    'Your part so far:',
    { title: 'yours', text: own.text, by: own.seat.id },
    'The reviewer found:',
    defects,
    DATA_RULE,
  ];
  return [
    ...planBlocks(plan),
    ...(former ?? []),
    ...(plan ? [shareOf(plan, own.number, defects ? 'Follow the plan all the same' : 'Follow the plan')] : []),
    ...(plan || defects ? [] : ["Answer the user's message completely: your answer will be reviewed."]),
    ...(defects
      ? [
          'Correct every defect the reviewer is right about, and keep the rest as it is.',
          statusWords('your whole corrected part'),
        ]
      : []),
    plan && plan.items.length > 1 ? PART_WORDS : WORKING_WORDS,
  ];
}

export function reviewTask(plan: SharedPlan | undefined, parts: readonly FencedText[]): PromptBlock[] {
  return [
    ...planBlocks(plan),
    plan ? 'The parts as they stand:' : "Answers to the user's message, each complete in itself:",
    ...parts,
    DATA_RULE,
    "You are the reviewer. Check every part against the user's message, the language, format and length it asks for, and the plan with its decisions for all parts. Report only defects that matter, each with its item.",
    `Reply with one JSON object and nothing else. ${LANGUAGE_RULE}\n{"verdict": "approve" or "revise", "defects": [{"item": number of the part, or "plan" if the plan itself is at fault, "severity": "major" or "minor", "defect": what is wrong and how to correct it}]}`,
  ];
}

export function assembledParts(
  plan: SharedPlan | undefined,
  parts: readonly FencedText[],
  defects: FencedText,
): PromptBlock[] {
  return [
    ...planBlocks(plan),
    plan ? 'The parts of the answer, by anonymous authors:' : 'Complete answers, by anonymous authors:',
    ...parts,
    ...(defects.text === '' ? [] : ['Defects the reviewer still sees:', defects]),
  ];
}

export const PARTS_ANALYSIS: AnalysisForm = {
  ranked: false,
  parts: [
    { key: 'met', title: 'Requirements met', ask: 'checks that are met' },
    CONFLICTS,
    { ...MISSING, ask: 'what no part covers, or what is wrong' },
  ],
};

export const PARTS_ANSWER_TASK = [
  'Assemble one answer from the parts, in the order the user needs, without gaps or repetition. Follow the plan, if there is one: what it decides holds for the whole answer, unless the user asks for something else. Correct every open defect, and write what is missing yourself.',
];

function shareOf({ items }: WorkPlan, number: number, lead: string): string {
  if (items.length === 1) return `${lead} and do item 1, the only one: your text is to be the whole answer.`;
  return `${lead} and do item ${number}, completely: it becomes part of the answer. Keep to what is decided for all parts, and leave the other items to their authors, who work at the same time.`;
}

function planBlocks(plan: SharedPlan | undefined): PromptBlock[] {
  return plan ? ["The plan for answering the user's message:", fencedPlan(plan)] : [];
}

function fencedPlan({ items, decisions, checks, by }: SharedPlan): FencedText {
  const work = items.map(({ title, task }, index) => `${index + 1}. ${title === task ? title : `${title}: ${task}`}`);
  const rules = [
    ...(decisions.length > 0 ? ['Decided for all parts:', lines(decisions)] : []),
    ...(checks.length > 0 ? ['The result must satisfy:', lines(checks)] : []),
  ];
  return { title: 'plan', text: [...work, ...rules].join('\n'), by };
}

function lines(texts: readonly string[]): string {
  return texts.map((text) => `- ${text}`).join('\n');
}
