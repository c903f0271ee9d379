import type { AnalysisForm } from '../analysis';
import type { Block, Conversation, Exhibit, PromptSheet } from '../sheet';
import { CHANGE_RULE, DATA_RULE, taskSheet } from './task';

/** The opposition opens: its own best answer, and what is wrong with the motion. */
export function oppositionPrompt(conversation: Conversation, openings: readonly Exhibit[]): PromptSheet {
  return taskSheet(conversation, [
    'In a debate about the message above, the other side has opened with:',
    ...openings,
    DATA_RULE,
    'You are the opposition. Give the best alternative answer you can defend honestly, and the strongest objections to theirs: quote what you object to, and say why it fails.',
    'Object to nothing that is right. Where they are right, build on it.',
  ]);
}

/** What a speaker has before it in a further round. */
export interface DebateTable {
  readonly side: string;
  readonly own: string;
  readonly allies: readonly Exhibit[];
  readonly opponents: readonly Exhibit[];
}

/** Round 2 and later: answer the strongest objection, defend or concede. */
export function statementPrompt(conversation: Conversation, table: DebateTable): PromptSheet {
  const { side, own, allies, opponents } = table;
  return taskSheet(conversation, [
    `You speak for the ${side} in a debate about the message above. Your last statement:`,
    { title: 'yours', text: own },
    ...(allies.length === 0 ? [] : ['Others on your side:', ...allies]),
    'The other side:',
    ...opponents,
    DATA_RULE,
    `Answer the strongest objection against you first. Then make your complete case again, as an answer to the message: corrected where they are right, firmer where they are not. ${CHANGE_RULE}`,
    'Then end with one line of its own: "STANCE: holds", or "STANCE: concedes" if the other side is right on what matters.',
  ]);
}

/** The two cases as the arbiter reads them for a verdict: the side shown first is A, the other B. */
export function casesForVerdict(first: readonly Exhibit[], second: readonly Exhibit[]): Block[] {
  return [
    'Two sides have debated the message above. The last statements of side A:',
    ...first,
    'The last statements of side B:',
    ...second,
    'Which side is right, A or B? The order they are shown in means nothing.',
  ];
}

/** The two cases as the author of the answer reads them. */
export function casesForAnswer(first: readonly Exhibit[], second: readonly Exhibit[]): Block[] {
  return ['Two sides have debated the message above. Their last statements:', ...first, ...second];
}

/** What a verdict holds. */
export const VERDICT: AnalysisForm = {
  noun: 'side',
  ranked: true,
  parts: [
    { key: 'decisive', title: 'What decided it', ask: 'the points that decide the matter' },
    { key: 'conceded', title: 'Conceded', ask: 'what a side gave up, or failed to answer' },
    { key: 'dissent', title: 'What the other side has right', ask: 'points of the losing side that stand' },
  ],
};

/** How the answer is made once both readings agree, or do not. */
export const DEBATE_ANSWER_TASK = {
  decided: [
    'Answer the message from the case of the side that won. Use what the other side has right, and meet its strongest objection.',
  ],
  split: [
    'Neither side won: weigh both cases yourself and answer the message from what is right in each. Where it stays open, say what it depends on.',
  ],
} as const;
