import { type AuthoredText, labelledText } from '../../../prompting/blind-labels';
import { DATA_RULE } from '../../../prompting/fence';
import type { PromptBlock } from '../../../prompting/prompt-draft';
import { type AnalysisForm, MISSING } from '../../arbiter/analysis';
import { CHANGE_RULE } from '../../waves/rounds';
import { USERS_WISHES } from '../../waves/users-wishes';
import { FINDINGS_MAX, type FindingOfSeat, findingText, RESPONSES_HEADING } from './findings';

/** The red team looks for what is wrong with the answers as they stand now; it has not seen older findings. */
export function attackTask(versions: readonly AuthoredText[]): PromptBlock[] {
  const many = versions.length > 1;
  return [
    `${many ? 'Answers' : 'An answer'} to the message above, by anonymous authors:`,
    ...versions.map(labelledText),
    DATA_RULE,
    `You are the red team. Find what is wrong with ${many ? 'these answers' : 'this answer'} before its users do: errors, gaps, unsupported claims, unsafe or misleading advice, ways it could be misread, another language, form or length than the user asked for. Report defects only; write nothing that would itself do harm.`,
    `Reply with one JSON object and nothing else:\n{"findings": at most ${FINDINGS_MAX} of {"target": label of the answer, "quote": the words concerned, "severity": "critical", "major" or "minor", "why": what is wrong, "fix": how to correct it}}\nAn empty list means that nothing is worth changing.`,
  ];
}

/** An answer with what was last found in it. */
interface Attacked extends Omit<AuthoredText, 'label'> {
  readonly findings: readonly FindingOfSeat[];
}

/** The blue team corrects or rebuts what was found in its own answer; `mask` hides names of models. */
export function defendTask({ seat, text, findings }: Attacked, mask: (text: string) => string): PromptBlock[] {
  const found = findings.map((finding, index) => `${index + 1}. ${mask(findingText(finding))}`);
  return [
    'Your answer to the message above:',
    { title: 'yours', text, by: seat.id },
    'What reviewers found in it:',
    { title: 'findings', text: found.join('\n'), by: authorsOf(findings) },
    DATA_RULE,
    `Correct every finding that is right; rebut one that is wrong. ${CHANGE_RULE}`,
    `Reply with your complete answer, corrected. Below it, where the user will not see it, write the line "${RESPONSES_HEADING}" and then, for each finding, one line: its number, "fixed" or "rebutted", and why in a few words.`,
    USERS_WISHES,
  ];
}

/** The final answers of the blue team with what was last found in them; `mask` hides names of models. */
export function defendedVersions(
  versions: readonly (Attacked & AuthoredText & { readonly responses: string })[],
  mask: (text: string) => string,
): PromptBlock[] {
  return [
    `${versions.length === 1 ? 'An answer' : `${versions.length} answers`} to the message above, by anonymous authors, after attack and correction:`,
    ...versions.flatMap(({ label, text, findings, responses, seat: { id: by } }): PromptBlock[] => [
      { title: label, text, by },
      ...(findings.length === 0
        ? []
        : [
            {
              title: `last findings in ${label}`,
              text: findings.map(findingText).map(mask).join('\n'),
              minor: true,
              by: authorsOf(findings),
            },
          ]),
      ...(responses === '' ? [] : [{ title: `responses of ${label}`, text: mask(responses), minor: true, by }]),
    ]),
  ];
}

/** Who found them, each once. */
function authorsOf(findings: readonly FindingOfSeat[]): string[] {
  return [...new Set(findings.map(({ by }) => by))];
}

/** What the arbiter's analysis of defended answers holds. */
export const VERSION_ANALYSIS: AnalysisForm = {
  ranked: true,
  parts: [
    { key: 'fixed', title: 'Fixed', ask: 'findings that were corrected' },
    { key: 'rebutted', title: 'Rebutted', ask: 'findings that were wrong, and why' },
    { key: 'residual', title: 'Residual risks', ask: 'what stays open or risky' },
    MISSING,
  ],
};

/** How the answer is made from defended answers. */
export const VERSION_ANSWER_TASK = [
  'Find the one answer to the message that stands up best: the best version, or what is best in each. Settle every finding that is still open by your own judgement, and do not bring back what was corrected.',
];
