import { DATA_RULE } from '../../../prompting/fence';
import type { FencedText, PromptBlock } from '../../../prompting/prompt-draft';
import { type AnalysisForm, MISSING } from '../../arbiter/analysis';
import type { Contributor } from '../../panel/contributors';
import { CHANGE_RULE, statusWords, WORKING_WORDS } from '../../waves/task-words';

export const SIDES = ['proposition', 'opposition'] as const;
export type Side = (typeof SIDES)[number];

export interface Speaker extends Contributor {
  readonly part: Side;
}

/** The proposition seconds its own motion, so that a verdict is about one answer; the opposition answers it. */
export function openingTask(part: Side, motion: readonly FencedText[]): PromptBlock[] {
  const isOurs = part === 'proposition';
  return [
    `In a debate about the user's message, ${isOurs ? 'your' : 'the other'} side has opened with:`,
    ...motion,
    DATA_RULE,
    ...(isOurs ? SECONDING : OPPOSING),
    WORKING_WORDS,
  ];
}

const SECONDING = [
  'You speak for the same side: second that answer. Add what supports it, and correct what is wrong in it. Do not defend what you know to be wrong; if the whole answer is wrong, say so and why.',
];
const OPPOSING = [
  'You are the opposition. Look for what is wrong with their answer, but do not object to what is right: build on it, and if all of it is right, give that answer yourself.',
  'Reply with the best answer you can honestly defend and, below it, only if you have any, your strongest objections to theirs: quote what you object to, and say why it fails.',
];

export function statementTask(
  { part, text, seat }: Speaker,
  { allies, opponents }: Readonly<Record<'allies' | 'opponents', readonly FencedText[]>>,
): PromptBlock[] {
  return [
    `You speak for the ${part} in a debate about the user's message. Your last statement:`,
    { title: 'yours', text, by: seat.id },
    ...(allies.length === 0 ? [] : ['Others on your side:', ...allies]),
    'The other side:',
    ...opponents,
    DATA_RULE,
    `Check your statement against theirs. ${CHANGE_RULE} If an objection is unanswered, that is a gap.`,
    `${statusWords('your whole case', STANCE)} It is an answer to the user, corrected where they are right, and below it, only if there are objections to it, your reply to the strongest.`,
    WORKING_WORDS,
  ];
}

/** The two cases as the arbiter reads them for a verdict: the side shown first is A, the other B. */
export function casesForVerdict(first: readonly FencedText[], second: readonly FencedText[]): PromptBlock[] {
  return [
    "Two sides have debated the user's message. The last statements of side A:",
    ...first,
    'The last statements of side B:',
    ...second,
    'Which side is right, A or B? Their order means nothing.',
  ];
}

export const VERDICT: AnalysisForm = {
  ranked: true,
  parts: [
    { key: 'decisive', title: 'What decided it', ask: 'the points that decide the matter' },
    { key: 'conceded', title: 'Conceded', ask: 'what a side gave up, or failed to answer' },
    { key: 'dissent', title: 'Dissent', ask: 'points of the losing side that stand' },
    MISSING,
  ],
};

/** Tasks of the author of the answer, when both readings agree and when they do not. */
export const DEBATE_ANSWER_TASK = {
  decided: [
    'Answer the user from the case of the side that won, with what the other side has right. Meet an objection only if the user would miss the answer to it. Add what both sides miss.',
  ],
  split: [
    'Neither side won. Weigh both cases yourself, and answer the user from what is right in each and what both miss. Only where it truly stays open, say what it depends on.',
  ],
} as const;

const STANCE =
  'On the same line, add "; STANCE: holds", or "; STANCE: concedes" if the other side is right on what matters. ';
