import { Fault } from '../../errors';
import { anySignal } from '../../lib/any-signal';
import type { AnsweredCall, CallMeter, CallResult, FailedCall } from '../../models/gateway/gateway-call';
import { cutNote, faultWords, TOO_LONG } from '../../models/model-fault';
import type { PromptDraft } from '../../prompting/prompt-draft';
import { type CheckResult, flawsIn, runChecks } from '../checks/answer-checks';
import { patienceMs } from '../deadline/answer-times';
import { type AnswerForm, outputSchemaOf, readAnswer } from '../form/answer-form';
import type { Seat } from '../panel/panel';
import { noteDegraded, type Run } from '../run';
import { callModel, runFault } from '../waves/call-model';
import { type Question, question, repairQuestion } from '../waves/question';
import { continuedBy, repeatedIn } from '../waves/repeated-prefix';
import { checksRepairPrompt, formRepairPrompt } from './prompts';

/** Less time than this is not worth a call for an answer. */
const ANSWER_MIN_MS = 3_000;
/** With less time than this an answer is not asked for again. */
const REPAIR_MIN_MS = 10_000;
/** Kept for each of those that are next while an answer that is not shown live may still fail halfway. */
const NEXT_RUNG_MS = 15_000;
/** Kept for all who are next when one that thinks may be silent for longer than its share. */
const NEXT_RUNGS_MS = 60_000;

/** An answer, and how it stands to what the caller wants checked: `checks` are absent without any. */
interface CheckedAnswer {
  readonly text: string;
  readonly checks?: readonly CheckResult[];
}

/** Reply of a model that was asked for the answer by this question. */
export type WrittenReply = CheckedAnswer & AnsweredCall & { readonly asked: Question };

/** A place on the ladder, counted from 0. */
interface Rung {
  readonly rung: number;
  readonly rungs: number;
}

/** Lets the arbiter write, else the surviving participants, best first; throws `models_failed` when none can. */
export async function writeAnswer(run: Run, promptDraft: PromptDraft, authors: readonly Seat[]): Promise<WrittenReply> {
  const { panel, answerForm } = run.request;
  const seats = ladder(run, authors);
  const tried: string[] = [];
  const failures: FailedCall[] = [];
  for (const [rung, seat] of seats.entries()) {
    if (rung === 0) run.sink.status(`${seat.label} is writing the answer`);
    else noteDegraded(run, `${tried.join(', ')} failed to write the answer; ${seat.label} stepped in`);
    const callId = seat === panel.arbiter ? 'answer' : `answer.${seat.id}`;
    const others = rung < seats.length - 1 && ({ replaceable: true } as const);
    // Without words of the service a prompt has nothing that a reply could repeat.
    const plain = promptDraft.task.length === 0 && ({ plain: true } as const);
    const asked = question({ callId, seat, purpose: 'answer', round: 0, ...others, ...plain }, promptDraft);
    // The provider may still have the conversation from a round in which the same model was asked.
    const repeated = promptDraft.tools ? continuedBy(asked) : answerForm ? asked : repeatedIn(run, asked);
    const result = await askForAnswer(run, repeated, { rung, rungs: seats.length });
    if (result.ok) return { ...result, asked };
    tried.push(`${seat.label} (${faultWords(result)})`);
    failures.push(result);
    if (result.streamed)
      throw new Fault('models_failed', `The answer was cut off: ${tried.at(-1)}`, { cause: result.cause });
    if (run.signal.aborted || run.deadline.remainingMs() < ANSWER_MIN_MS) break;
  }
  throw runFault(`No model could write the answer: ${tried.join(', ')}${hintAt(promptDraft, failures)}`, failures);
}

/** Words for agents, which alone know what can be left out of a conversation with their tools. */
function hintAt({ tools }: PromptDraft, failures: readonly FailedCall[]): string {
  return tools && failures.some(({ fault }) => fault === 'context_length') ? `; ${TOO_LONG}` : '';
}

/** Last of all come those that wrote no text for the answer but did not fail either, such as a reviewer. */
function ladder({ request, failures }: Run, authors: readonly Seat[]): Seat[] {
  const { arbiter, participants } = request.panel;
  const others = participants.filter(({ id }) => failures.every(({ seat }) => seat.id !== id));
  const byModel = Map.groupBy([arbiter, ...authors, ...others], ({ model }) => model.id);
  return [...byModel.values()].flatMap((seats) => seats.slice(0, 1));
}

/** Asks for the answer and passes it on to a live reader. A model that is silent for its share of the time loses its turn. */
export async function askForAnswer(
  run: Run,
  asked: Question,
  { rung, rungs }: Rung,
): Promise<CallResult & Pick<CheckedAnswer, 'checks'>> {
  const { sink, signal, request, clock, deadline } = run;
  const { sampling, answerForm: form } = request;
  const leftMs = deadline.remainingMs();
  const turnMs = silenceMs(run, asked.seat, { rung, rungs });
  const turn = new AbortController();
  let meter: CallMeter | undefined;
  let passedOn = false;
  const passOn = (text: string): Promise<void> | undefined => {
    passedOn = true;
    return sink.text(text);
  };
  const giveUpIfSilent = (): void => {
    if (!meter?.spoke) turn.abort();
  };
  const stop = rung === rungs - 1 ? () => undefined : clock.after(turnMs, giveUpIfSilent);
  const result = await callModel(run, asked, {
    budgetMs: sink.live ? leftMs : Math.max(turnMs, leftMs - NEXT_RUNG_MS * (rungs - rung - 1)),
    signal: anySignal(signal, turn.signal),
    sampling,
    mayWait: sink.mayWait,
    ...(request.reasoningEffort && { reasoningEffort: request.reasoningEffort }),
    ...(form && { outputSchema: outputSchemaOf(form) }),
    onAttempt: (started) => {
      meter = started;
    },
    ...(sink.live && { onText: passOn, onToolCall: sink.toolCall, onReasoning: sink.reasoning }),
  }).finally(stop);
  if (!result.ok) return turn.signal.aborted ? { ...result, fault: 'timeout' } : result;
  run.answered.finishReason = result.finishReason;
  const cut = cutNote(asked.seat.label, 'the answer', result.finishReason);
  if (cut !== undefined) noteDegraded(run, cut);
  // With tool calls it is not the answer yet: what stands beside them is in no form.
  const written = { text: result.text, passedOn };
  const { text, checks }: CheckedAnswer = result.toolCalls ? written : await checkedAnswer(run, asked, written);
  if (!passedOn && text !== '') await sink.text(text);
  return { ...result, text, ...(checks && { checks }) };
}

/** Time for which a model may be silent: half of what is left for the arbiter, an equal share for each further one; its thoughts may take more. */
function silenceMs({ paces, deadline }: Run, { model }: Seat, { rung, rungs }: Rung): number {
  const leftMs = deadline.remainingMs();
  const shareMs = leftMs / (rung === 0 ? Math.min(2, rungs) : rungs - rung);
  return Math.max(shareMs, Math.min(patienceMs(paces, model), leftMs - NEXT_RUNGS_MS));
}

/** An answer as it came; where it was `passedOn` a reader has it already: then nothing can be repaired. */
interface WrittenAnswer {
  readonly text: string;
  readonly passedOn: boolean;
}

/** The answer in form and within its checks: one that fails is asked for once more, unless a reader has it already. */
async function checkedAnswer(run: Run, asked: Question, answer: WrittenAnswer): Promise<CheckedAnswer> {
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
  const prompt = checksRepairPrompt(asked.prompt, text, flawsIn(found));
  const again = await answerAgain(run, asked, { prompt, suffix: 'checks', doing: 'is correcting the answer' });
  if (again === undefined || !checks) return undefined;
  const whole = form ? readAnswer(again, form) : { text: again, flaws: [] };
  // What passes here and is out of form would be no better.
  if (whole.flaws.length > 0) return undefined;
  return { text: whole.text, checks: await runChecks(checks, whole.text, run.scope.inTurn) };
}

/** The JSON of an answer alone; one out of form is asked for once more, and what is still wrong noted in `degraded`. */
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
    ...(request.reasoningEffort && { reasoningEffort: request.reasoningEffort }),
    ...(request.answerForm && { outputSchema: outputSchemaOf(request.answerForm) }),
  });
  return result.ok ? result.text : undefined;
}
