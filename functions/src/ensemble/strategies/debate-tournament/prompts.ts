import { DATA_RULE } from '../../../prompting/fence';
import type { FencedText, PromptBlock } from '../../../prompting/prompt-draft';
import type { AnalysisForm } from '../../arbiter/analysis';
import { CHANGE_RULE } from '../../waves/rounds';
import type { Speaker } from './speakers';

/** The opposition opens: its own best answer, and what is wrong with the motion. */
export function oppositionTask(openings: readonly FencedText[]): PromptBlock[] {
  return [
    'In a debate about the message above, the other side has opened with:',
    ...openings,
    DATA_RULE,
    'You are the opposition. Give the best alternative answer you can defend honestly, and the strongest objections to theirs: quote what you object to, and say why it fails.',
    'Object to nothing that is right. Where they are right, build on it.',
  ];
}

/** Round 2 and later: answer the strongest objection, defend or concede. */
export function statementTask(
  { part, text }: Speaker,
  { allies, opponents }: Readonly<Record<'allies' | 'opponents', readonly FencedText[]>>,
): PromptBlock[] {
  return [
    `You speak for the ${part} in a debate about the message above. Your last statement:`,
    { title: 'yours', text },
    ...(allies.length === 0 ? [] : ['Others on your side:', ...allies]),
    'The other side:',
    ...opponents,
    DATA_RULE,
    `Answer the strongest objection against you first. Then make your complete case again, as an answer to the message: corrected where they are right, firmer where they are not. ${CHANGE_RULE}`,
    'Then end with one line of its own: "STANCE: holds", or "STANCE: concedes" if the other side is right on what matters.',
  ];
}

/** The two cases as the arbiter reads them for a verdict: the side shown first is A, the other B. */
export function casesForVerdict(first: readonly FencedText[], second: readonly FencedText[]): PromptBlock[] {
  return [
    'Two sides have debated the message above. The last statements of side A:',
    ...first,
    'The last statements of side B:',
    ...second,
    'Which side is right, A or B? The order they are shown in means nothing.',
  ];
}

/** The two cases as the author of the answer reads them. */
export function casesForAnswer(first: readonly FencedText[], second: readonly FencedText[]): PromptBlock[] {
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
