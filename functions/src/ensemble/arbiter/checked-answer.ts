import { type CheckResult, flawsIn, runChecks } from '../checks/answer-checks';
import { readAnswer } from '../form/read-answer';
import { noteDegraded, type Run } from '../run';
import type { Question } from '../waves/question';
import { answerAgain, answerInForm, type WrittenAnswer } from './answer-in-form';
import { checksRepairPrompt } from './prompts';

/** An answer, and how it stands to what the caller wants checked. */
export interface CheckedAnswer {
  readonly text: string;
  /** Absent without checks. */
  readonly checks?: readonly CheckResult[];
}

/**
 * The answer in the form asked for and, as far as it can be brought there, as the caller's checks want it: one that fails
 * is asked for once more, unless a reader has it already. The better one is taken; what then is still wrong is told.
 */
export async function checkedAnswer(run: Run, asked: Question, answer: WrittenAnswer): Promise<CheckedAnswer> {
  const { answerForm: form, checks } = run.request;
  const text = form ? await answerInForm(run, asked, { ...answer, form }) : answer.text;
  if (!checks) return { text };
  const first = { text, checks: await runChecks(checks, text, run.scope.inTurn) };
  const flaws = flawsIn(first.checks);
  const again = flaws.length > 0 && checks.repairs && !answer.passedOn ? await repaired(run, asked, first) : undefined;
  const last = again && flawsIn(again.checks).length < flaws.length ? again : first;
  const left = flawsIn(last.checks);
  if (left.length > 0) noteDegraded(run, `The answer fails its checks: ${left.join('; ')}`);
  return last;
}

/** The answer to the one repair; undefined where there was none. */
async function repaired(
  run: Run,
  asked: Question,
  { text, checks: found }: Required<CheckedAnswer>,
): Promise<Required<CheckedAnswer> | undefined> {
  const { checks, answerForm: form } = run.request;
  if (!checks) return undefined;
  const prompt = checksRepairPrompt(asked.prompt, text, flawsIn(found));
  const again = await answerAgain(run, asked, { prompt, suffix: 'checks', doing: 'is correcting the answer' });
  if (again === undefined) return undefined;
  const whole = form ? readAnswer(again, form) : { text: again, flaws: [] };
  // What passes here and is out of form would be no better.
  if (whole.flaws.length > 0) return undefined;
  return { text: whole.text, checks: await runChecks(checks, whole.text, run.scope.inTurn) };
}
