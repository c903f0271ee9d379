import { type CheckResult, flawsIn, runChecks } from '../checks/answer-checks';
import { type AnswerForm, outputSchemaOf } from '../form/answer-form';
import { readAnswer } from '../form/read-answer';
import { noteDegraded, type Run } from '../run';
import { callModel } from '../waves/call-model';
import { type Question, repairQuestion } from '../waves/question';
import { checksRepairPrompt, formRepairPrompt } from './prompts';

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

/** With less time than this an answer is not asked for again. */
const REPAIR_MIN_MS = 10_000;

/** An answer as it came. */
export interface WrittenAnswer {
  readonly text: string;
  /** True where a reader has it already: then nothing can be repaired. */
  readonly passedOn: boolean;
}

/**
 * The answer in the form asked for: the JSON alone, without what a model has put around it. One that is not in that form
 * is asked for once more; what then still is wrong is told in `degraded`. Of an answer that was passed on, only that.
 */
async function answerInForm(run: Run, asked: Question, answer: WrittenAnswer & { form: AnswerForm }): Promise<string> {
  const { form, text, passedOn } = answer;
  const first = readAnswer(text, form);
  const prompt = formRepairPrompt(asked.prompt, first.text, first.flaws);
  const doing = 'is putting the answer into the form asked for';
  const isKept = passedOn || first.flaws.length === 0;
  const again = isKept ? undefined : await answerAgain(run, asked, { prompt, suffix: 'form', doing });
  const last = again === undefined ? first : readAnswer(again, form);
  // A reader who got the words around the JSON, too, did not get JSON.
  const flaws = passedOn && last.text.length < text.trim().length ? ['it is not JSON alone'] : last.flaws;
  if (flaws.length > 0) noteDegraded(run, `The answer is not in the form asked for: ${flaws.join('; ')}`);
  if (last.givenUp) noteDegraded(run, 'The answer was not checked: its JSON Schema takes too long to follow');
  return passedOn ? text : last.text;
}

/** The text that the same model gives in the one repair of its answer; undefined where there is none. */
async function answerAgain(
  run: Run,
  asked: Question,
  { prompt, suffix, doing }: Pick<Question, 'prompt'> & Readonly<Record<'suffix' | 'doing', string>>,
): Promise<string | undefined> {
  const { deadline, signal, request, sink } = run;
  if (signal.aborted || deadline.remainingMs() < REPAIR_MIN_MS) return undefined;
  const again = repairQuestion(asked, { callId: `${asked.callId}.${suffix}`, prompt });
  const flaw = run.budget.admit([again], 'before');
  if (flaw !== undefined) {
    noteDegraded(run, `The answer was not asked for again: ${flaw}`);
    return undefined;
  }
  sink.status(`${asked.seat.label} ${doing}`);
  const result = await callModel(run, again, {
    budgetMs: deadline.remainingMs(),
    sampling: request.sampling,
    ...(request.answerForm && { outputSchema: outputSchemaOf(request.answerForm) }),
  });
  return result.ok ? result.text : undefined;
}
