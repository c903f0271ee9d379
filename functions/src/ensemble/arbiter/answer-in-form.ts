import type { AnswerForm } from '../form/answer-form';
import { outputSchemaOf } from '../form/answer-form';
import { type AnswerReading, readAnswer } from '../form/read-answer';
import { noteDegraded, type Run } from '../run';
import { askOne } from '../waves/ask-one';
import { type Question, repairQuestion } from '../waves/question';
import { formRepairPrompt } from './prompts';

/** With less time than this an answer is not asked for again. */
export const REPAIR_MIN_MS = 10_000;

/** An answer as it came. */
export interface WrittenAnswer {
  readonly text: string;
  /** Whether a reader has it already: then nothing can be repaired. */
  readonly passedOn: boolean;
}

/**
 * The answer in the form asked for: the JSON alone, without what a model has put around it. One that is not in that form
 * is asked for once more; what then still is wrong is told in `degraded`. Of an answer that was passed on, only that.
 */
export async function answerInForm(
  run: Run,
  asked: Question,
  answer: WrittenAnswer & { form: AnswerForm },
): Promise<string> {
  const { form, text, passedOn } = answer;
  const first = readAnswer(text, form);
  const last = passedOn || first.flaws.length === 0 ? first : await repaired(run, asked, { first, form });
  // A reader who got the words around the JSON, too, did not get JSON.
  const flaws = passedOn && last.text.length < text.trim().length ? ['it is not JSON alone'] : last.flaws;
  if (flaws.length > 0) noteDegraded(run, `The answer is not in the form asked for: ${flaws.join('; ')}`);
  if (last.givenUp) noteDegraded(run, 'The answer was not checked: its JSON Schema takes too long to follow');
  return passedOn ? text : last.text;
}

async function repaired(
  run: Run,
  asked: Question,
  { first, form }: { readonly first: AnswerReading; readonly form: AnswerForm },
): Promise<AnswerReading> {
  const { deadline, signal, request, sink } = run;
  if (signal.aborted || deadline.remainingMs() < REPAIR_MIN_MS) return first;
  const prompt = formRepairPrompt(asked.prompt, first.text, first.flaws);
  const again = repairQuestion(asked, { callId: `${asked.callId}.form`, prompt });
  const flaw = run.budget.admitLast(again);
  if (flaw !== undefined) {
    noteDegraded(run, `The answer was not asked for again: ${flaw}`);
    return first;
  }
  sink.status(`${asked.seat.label} is putting the answer into the form asked for`);
  const result = await askOne(run, again, {
    budgetMs: deadline.remainingMs(),
    sampling: request.sampling,
    outputSchema: outputSchemaOf(form),
  });
  return result.ok ? readAnswer(result.text, form) : first;
}
