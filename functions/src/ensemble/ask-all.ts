import type { CallPurpose, FinishReason } from '../models/model';
import { askOne, faultWords } from './ask';
import { degrade } from './degrade';
import { plannedCall, type Question } from './question';
import type { Run } from './run';
import { watchStragglers } from './stragglers';

/** A question of a wave and what came back; no text when its model failed or was given up. */
export interface Reply<Q extends Question = Question> {
  readonly question: Q;
  readonly text: string | undefined;
}

/** What a wave is to its run. */
export interface WaveOptions {
  /** The run has nothing yet: it gets more than an equal share of the time. */
  readonly needed?: boolean;
  /** Nobody else is left to ask: the first answer is waited for as long as there is time at all. */
  readonly patient?: boolean;
}

/**
 * Puts all questions of a wave at once, within the wave's share of the time; returns a reply to each, in the order
 * asked. Says who answered and who did not; cuts stragglers once enough have answered. Throws when the store fails.
 */
export async function askAll<Q extends Question>(
  run: Run,
  questions: readonly Q[],
  { needed = false, patient = false }: WaveOptions = {},
): Promise<Reply<Q>[]> {
  const spareMs = run.deadline.spareMs();
  const waveMs = run.deadline.nextWaveMs(needed);
  if (run.signal.aborted) return questions.map((question) => ({ question, text: undefined }));
  await run.books.plan(questions.map(plannedCall));
  const stragglers = watchStragglers(run.clock, { calls: questions.length, waveMs, patient });
  const signal = AbortSignal.any([run.signal, stragglers.signal]);
  let answered = 0;
  const asked = questions.map(async (question): Promise<Reply<Q>> => {
    const { seat, round } = question;
    const result = await askOne(run, question, { budgetMs: patient ? spareMs : waveMs, signal });
    if (!result.ok) {
      const why = stragglers.signal.aborted && result.fault === 'aborted' ? 'too slow' : faultWords(result.fault);
      degrade(run, `${seat.label} did not answer in round ${Math.max(1, round)} (${why})`);
      return { question, text: undefined };
    }
    stragglers.finished();
    answered += 1;
    run.emit({
      type: 'status',
      text: `${seat.label} ${doneWords(question.purpose, result.finishReason)} (${answered} of ${questions.length})`,
    });
    return { question, text: result.text };
  });
  try {
    return await Promise.all(asked);
  } catch (error) {
    // The store failed: no call of the wave may go on unbooked.
    stragglers.cut();
    await Promise.allSettled(asked);
    throw error;
  } finally {
    stragglers.stop();
  }
}

/** What a member has done, where it is not an answer. */
const DONE: Partial<Readonly<Record<CallPurpose, string>>> = {
  plan: 'has planned the work',
  review: 'has reviewed the parts',
  attack: 'has attacked',
};

/** A text cut off at the model's own limit is still of use; people are told. */
function doneWords(purpose: CallPurpose, finishReason: FinishReason): string {
  const done = DONE[purpose] ?? 'answered';
  return finishReason === 'length' ? `${done}, cut off at its length limit` : done;
}
