import type { AnalysisForm } from '../analysis';
import type { Labelled } from '../anonymise';
import type { Block, Conversation, PromptSheet } from '../sheet';
import { CHANGE_RULE, DATA_RULE, labelledText, taskSheet } from './task';

/** How many findings one attacker may report in a round. */
export const FINDINGS_MAX = 8;

/** The heading under which a defender answers findings; what follows it is not part of the answer. */
export const RESPONSES_HEADING = 'RESPONSES TO FINDINGS';

/** The red team looks for what is wrong with the answers as they stand now; it has not seen older findings. */
export function attackPrompt(conversation: Conversation, versions: readonly Labelled[]): PromptSheet {
  const many = versions.length > 1;
  return taskSheet(conversation, [
    `${many ? 'Answers' : 'An answer'} to the message above, by anonymous authors:`,
    ...versions.map(labelledText),
    DATA_RULE,
    `You are the red team. Find what is wrong with ${many ? 'these answers' : 'this answer'} before its users do: errors, gaps, unsupported claims, unsafe or misleading advice, ways it could be misread. Report defects only; write nothing that would itself do harm.`,
    `Reply with one JSON object and nothing else:\n{"findings": at most ${FINDINGS_MAX} of {"target": label of the answer, "quote": the words concerned, "severity": "critical", "major" or "minor", "why": what is wrong, "fix": how to correct it}}\nAn empty list means that nothing is worth changing.`,
  ]);
}

/** The blue team corrects or rebuts what was found in its own answer. */
export function defendPrompt(conversation: Conversation, own: string, findings: readonly string[]): PromptSheet {
  return taskSheet(conversation, [
    'Your answer to the message above:',
    { title: 'yours', text: own },
    'What reviewers found in it:',
    { title: 'findings', text: findings.map((finding, index) => `${index + 1}. ${finding}`).join('\n') },
    DATA_RULE,
    `Correct every finding that is right; rebut one that is wrong. ${CHANGE_RULE}`,
    `Write your complete answer again for the user, without mentioning the review. Then write the line "${RESPONSES_HEADING}" and below it, for each finding, one line: its number, "fixed" or "rebutted", and why in a few words.`,
  ]);
}

/** A defended answer as the arbiter reads it. */
export interface JudgedVersion extends Labelled {
  /** What was last found in it. */
  readonly findings: readonly string[];
  /** What its author said to that; empty when it did not. */
  readonly responses: string;
}

/** The final answers of the blue team with what was found in them. */
export function defendedVersions(versions: readonly JudgedVersion[]): Block[] {
  return [
    `${versions.length === 1 ? 'An answer' : `${versions.length} answers`} to the message above, by anonymous authors, after attack and correction:`,
    ...versions.flatMap(({ label, text, findings, responses }): Block[] => [
      { title: label, text },
      ...(findings.length === 0
        ? []
        : [{ title: `last findings in ${label}`, text: findings.join('\n'), minor: true }]),
      ...(responses === '' ? [] : [{ title: `responses of ${label}`, text: responses, minor: true }]),
    ]),
  ];
}

/** What the arbiter's analysis of defended answers holds. */
export const VERSION_ANALYSIS: AnalysisForm = {
  noun: 'version',
  ranked: true,
  parts: [
    { key: 'fixed', title: 'Fixed', ask: 'findings that were corrected' },
    { key: 'rebutted', title: 'Rebutted', ask: 'findings that were wrong, and why' },
    { key: 'residual', title: 'Residual risks', ask: 'what remains wrong, open or risky' },
  ],
};

/** How the answer is made from defended answers. */
export const VERSION_ANSWER_TASK = [
  'Write the one hardened answer to the message: the best version, or what is best in each. Settle every finding that is still open by your own judgement, and do not bring back what was corrected.',
];
