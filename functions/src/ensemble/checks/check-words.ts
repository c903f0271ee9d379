import { type CallPurpose, WRITING } from '../../models/model';
import type { PromptBlock } from '../../prompting/prompt-draft';
import type { AnswerChecks } from './answer-checks';

/** Ends the prompt of whoever writes the final answer; empty without checks. */
export function finalCheckWords(checks: AnswerChecks | undefined): string[] {
  if (!checks) return [];
  return [
    `A program will check your answer. All of this must be true of it:\n${listOf(checks)}\nWrite it so that all of this is true, and do not mention the check.`,
  ];
}

/** A participant's task with what the final answer must satisfy, for those who write texts that may become it. */
export function taskWithChecks(
  checks: AnswerChecks | undefined,
  purpose: CallPurpose,
  task: readonly PromptBlock[],
): readonly PromptBlock[] {
  if (!checks || !WRITING.has(purpose)) return task;
  return [
    ...task,
    `A program will check the final answer, which is made from your text and others. All of this must be true of the final answer:\n${listOf(checks)}\nIf you were asked for the whole answer, all of this must be true of yours, too; a last line that you were asked for above does not count.`,
  ];
}

function listOf({ rules }: AnswerChecks): string {
  return rules.map(({ requirement }) => `- ${requirement}`).join('\n');
}
