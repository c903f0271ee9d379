import { type CallPurpose, WRITING } from '../../models/model';
import type { AnswerChecks } from './answer-checks';

/** Ends the prompt of whoever writes the final answer; empty without checks. */
export function finalCheckWords(checks: AnswerChecks | undefined): string[] {
  if (!checks) return [];
  return [`A program will check that all of this is true of your answer; do not mention it:\n${listOf(checks)}`];
}

/** Ends the prompt of a participant whose text may become the answer; `hasTask`: it is asked for more than the answer. */
export function draftCheckWords(checks: AnswerChecks | undefined, purpose: CallPurpose, hasTask: boolean): string[] {
  if (!checks || !WRITING.has(purpose)) return [];
  const besides = hasTask ? '; lines for the service do not count.' : '.';
  return [
    `A program will check that all of this is true of the final answer, which is made from your text and others:\n${listOf(checks)}\nIf you write a whole answer, it must be true of yours as well${besides}`,
  ];
}

function listOf({ rules }: AnswerChecks): string {
  return rules.map(({ requirement }) => `- ${requirement}`).join('\n');
}
