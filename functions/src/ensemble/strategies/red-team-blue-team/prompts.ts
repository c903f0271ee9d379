import { type AuthoredText, labelledText } from '../../../prompting/blind-labels';
import { DATA_RULE } from '../../../prompting/fence';
import type { PromptBlock } from '../../../prompting/prompt-draft';
import { type AnalysisForm, LANGUAGE_RULE, MISSING } from '../../arbiter/analysis';
import { WORKING_WORDS } from '../../waves/task-words';
import { FINDINGS_MAX, type FindingOfSeat, findingText } from './findings';

/** The red team looks for what is wrong with the answers as they stand now; it has not seen older findings. */
export function attackTask(versions: readonly AuthoredText[]): PromptBlock[] {
  const many = versions.length > 1;
  return [
    `${many ? 'Answers' : 'An answer'} to the user's message, by anonymous authors:`,
    ...versions.map(labelledText),
    DATA_RULE,
    `You are the red team. Find what is wrong with ${many ? 'these answers' : 'this answer'} before the user does: errors, gaps, unsupported claims, unsafe or misleading advice, wording that can be misread, a language, format or length the user did not ask for. Report defects only; write nothing that would itself do harm.`,
    `Reply with one JSON object and nothing else. ${LANGUAGE_RULE}\n{"findings": at most ${FINDINGS_MAX} of {"target": label of the answer, "quote": the words concerned, "severity": "critical", "major" or "minor", "why": what is wrong, "fix": how to correct it}}\nAn empty list means that nothing is worth changing.`,
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
    "Your answer to the user's message:",
    { title: 'yours', text, by: seat.id },
    'What reviewers found in it:',
    { title: 'findings', text: found.join('\n'), by: authorsOf(findings) },
    DATA_RULE,
    'Check your answer against each finding: correct what it is right about, and rebut it where it is wrong. That a reviewer says so does not make it right.',
    'Begin with one line for each finding, for the service, in these English words: "FINDING 1: fixed", or "FINDING 1: rebutted (why it is wrong)". If you fixed none, stop there. Otherwise write the whole corrected answer below those lines.',
    WORKING_WORDS,
  ];
}

/** The final answers of the blue team with what was last found in them; `mask` hides names of models. */
export function defendedVersions(
  versions: readonly (Attacked & AuthoredText & { readonly responses: string })[],
  mask: (text: string) => string,
): PromptBlock[] {
  return [
    `${versions.length === 1 ? 'An answer' : `${versions.length} answers`} to the user's message, by anonymous authors, after attack and correction:`,
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

/** Seats that found them, each once. */
function authorsOf(findings: readonly FindingOfSeat[]): string[] {
  return [...new Set(findings.map(({ by }) => by))];
}

/** Form of the arbiter's analysis of defended answers. */
export const VERSION_ANALYSIS: AnalysisForm = {
  ranked: true,
  parts: [
    { key: 'fixed', title: 'Fixed', ask: 'findings that were corrected' },
    { key: 'rebutted', title: 'Rebutted', ask: 'findings that were wrong, and why' },
    { key: 'residual', title: 'Residual risks', ask: 'what stays open or risky' },
    MISSING,
  ],
};

/** Task of the author of the answer. */
export const VERSION_ANSWER_TASK = [
  'Give the one answer that stands up best: the best version, or what is best in each. Judge every open finding yourself, and do not bring back what was corrected. Add what all of them miss. Code, verse and other texts of one voice: repair the best version, do not mix several.',
];
