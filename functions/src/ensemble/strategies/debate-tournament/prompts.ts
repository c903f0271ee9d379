import { DATA_RULE } from '../../../prompting/fence';
import type { FencedText, PromptBlock } from '../../../prompting/prompt-draft';
import { type AnalysisForm, MISSING } from '../../arbiter/analysis';
import { CHANGE_RULE } from '../../waves/rounds';
import { USERS_WISHES } from '../../waves/users-wishes';
import type { Speaker } from './speakers';

/** The rest of the proposition takes up the motion, so that a verdict is about one answer. */
export function secondingTask(opening: readonly FencedText[]): PromptBlock[] {
  return [
    'In a debate about the message above, your side has opened with:',
    ...opening,
    DATA_RULE,
    'You speak for the same side: second that answer. Support it with what it lacks, and correct what is wrong in it. Do not defend what you know to be wrong; if the answer as a whole is, say so and why.',
    USERS_WISHES,
  ];
}

/** The opposition opens: its own best answer, and what is wrong with the motion. */
export function oppositionTask(openings: readonly FencedText[]): PromptBlock[] {
  return [
    'In a debate about the message above, the other side has opened with:',
    ...openings,
    DATA_RULE,
    'You are the opposition. Look for what is wrong with theirs. Object to nothing that is right: where they are right, build on it, and if all of it is right, give that answer yourself, without objections.',
    'Reply with the best alternative answer you can defend honestly and, below it, only if there are any, your strongest objections to theirs: quote what you object to, and say why it fails.',
    USERS_WISHES,
  ];
}

/** Round 2 and later: answer the strongest objection, defend or concede. */
export function statementTask(
  { part, text, seat }: Speaker,
  { allies, opponents }: Readonly<Record<'allies' | 'opponents', readonly FencedText[]>>,
): PromptBlock[] {
  return [
    `You speak for the ${part} in a debate about the message above. Your last statement:`,
    { title: 'yours', text, by: seat.id },
    ...(allies.length === 0 ? [] : ['Others on your side:', ...allies]),
    'The other side:',
    ...opponents,
    DATA_RULE,
    `Make your complete case again, as an answer to the message: corrected where they are right, firmer where they are not. ${CHANGE_RULE} Only if there are objections against you, answer the strongest one below your answer.`,
    'Then write one last line of its own, which the user will not see: "STANCE: holds", or "STANCE: concedes" if the other side is right on what matters. If nothing in your case changes and there is no new objection for you to answer, reply with that line only.',
    USERS_WISHES,
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
  ranked: true,
  parts: [
    { key: 'decisive', title: 'What decided it', ask: 'the points that decide the matter' },
    { key: 'conceded', title: 'Conceded', ask: 'what a side gave up, or failed to answer' },
    { key: 'dissent', title: 'Dissent', ask: 'points of the losing side that stand' },
    MISSING,
  ],
};

/** How the answer is made once both readings agree, or do not. */
export const DEBATE_ANSWER_TASK = {
  decided: [
    'Answer the message from the case of the side that won, with what the other side has right. Meet an objection only if there is one that the user would miss.',
  ],
  split: [
    'Neither side won: weigh both cases yourself and answer the message from what is right in each. Only where it truly stays open, say what it depends on.',
  ],
} as const;
