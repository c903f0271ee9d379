import { Fault } from '../../errors';
import {
  type CallMeter,
  type CallResult,
  type FailedCall,
  failedCall,
  type GatewayCall,
  type RefusedPart,
} from '../../models/gateway/gateway-call';
import { isBusy, isForGood, shorterMayHelp } from '../../models/gateway/retries';
import { type CallPurpose, FULL_LENGTH, WRITING } from '../../models/model';
import { noteDegraded, type Run } from '../run';
import { markFilter } from './mark-filter';
import { announcedCall, type Question, shorterQuestion, textsSeen } from './question';

/** Options of one call of a model. */
export interface CallOptions
  extends Pick<GatewayCall, 'budgetMs' | 'sampling' | 'reasoningEffort' | 'outputSchema' | 'onWait' | 'mayWait'>,
    Pick<GatewayCall, 'onText' | 'onToolCall' | 'onReasoning'> {
  readonly signal?: AbortSignal;
  /** Receives the meter of every attempt as it starts. */
  readonly onAttempt?: (meter: CallMeter) => void;
}

/** Calls the model of a question within the caps, once more where it finds it too long. Never throws for its failure. */
export async function callModel(run: Run, question: Question, options: CallOptions): Promise<CallResult> {
  const { budget, clock, observer, gateway } = run;
  const endsAtMs = clock.monotonicMs() + options.budgetMs;
  const failure = notCalled(run, question, options.budgetMs);
  if (failure) return failure;
  const outputTokensMax = budget.outputTokensMax(question.callId);
  const mayAskAgain = (): boolean => question.purpose === 'answer' || budget.mayAskAgain();
  const within = { ...options, mayAskAgain, ...(outputTokensMax !== undefined && { outputTokensMax }) };
  for (let asked = question; ; ) {
    const filter = markFilter(run, asked, options);
    const budgetMs = endsAtMs - clock.monotonicMs();
    const put = gatewayCall(run, asked, { ...within, ...filter?.listening, budgetMs });
    const reply = await gateway.call(put.call);
    put.ended(reply);
    const result = filter ? await filter.end(reply) : reply;
    observer?.ended(asked.callId, result, reasonOf(run, result, options.signal));
    const isShortened = asked === question && !asked.promptDraft.tools && shorterMayHelp(result) && mayAskAgain();
    const shorter = isShortened ? shorterQuestion(asked) : undefined;
    if (!shorter?.cut || clock.monotonicMs() >= endsAtMs) return noted(run, question, result);
    queued(run, shorter, question.callId);
    asked = shorter;
  }
}

/** Reports a question; fails it where the caps or the time do not allow its call. An answer must come, whatever it costs. */
function notCalled(run: Run, question: Question, budgetMs: number): FailedCall | undefined {
  const isPaid = question.purpose === 'answer' || run.budget.admit([question]) === undefined;
  queued(run, question);
  if (budgetMs > 0 && isPaid) return undefined;
  leaveOut(run, question, isPaid ? 'no time was left for it' : 'what the caller allows was used up');
  run.budget.ended(question.callId);
  return failedCall(isPaid ? 'timeout' : 'aborted');
}

/** The result of a question, whose share of the budget is free again. */
function noted({ budget, failures }: Run, { callId, seat }: Question, result: CallResult): CallResult {
  budget.ended(callId, result.ok ? result.text : undefined);
  // Its cause leads to the prompt.
  if (!result.ok) failures.push({ ...result, cause: undefined, seat });
  return result;
}

/** A question as the gateway takes it, and what is to be noted of the reply as it came. */
function gatewayCall(
  run: Run,
  question: Question,
  { onAttempt, ...options }: CallOptions & Pick<GatewayCall, 'mayAskAgain' | 'outputTokensMax'>,
): { readonly call: GatewayCall; ended(reply: CallResult): void } {
  const { clock, ledger, observer } = run;
  const { outputSchema, ...bare } = question;
  const { callId, seat, prompt, purpose } = bare;
  if (question.cut) noteDegraded(run, `${seat.label} was shown shortened texts: its context window holds no more`);
  let startedMs = 0;
  let meter: CallMeter | undefined;
  const call: GatewayCall = {
    scope: run.scope,
    model: seat.model,
    place: { round: question.round, seat: seat.id },
    prompt,
    purpose,
    signal: run.signal,
    promptCacheKey: run.request.promptCacheKey,
    ...(seat.sampling && WRITING.has(purpose) && { sampling: seat.sampling }),
    ...(seat.reasoningEffort && seat.model.reasoningEffort && { reasoningEffort: seat.reasoningEffort }),
    // Thoughts of a panel's members are nobody's but theirs.
    tellsReasoning: question.plain === true || prompt.tools !== undefined,
    ...options,
    ...(outputSchema && { outputSchema }),
    ...(observer && { heard: observer.hearing(callId) }),
    openAttempt: async (attempt, sent) => {
      const entry = await ledger.openAttempt(announcedCall(sent ? question : bare), attempt);
      meter = entry.meter;
      // Its pace is that of the attempt: the wait for its turn is not the model's.
      startedMs = clock.monotonicMs();
      onAttempt?.(meter);
      return entry;
    },
  };
  const ended = (reply: CallResult): void => {
    // A call that was listed for its wave and then spared is not to be counted.
    if (!meter) ledger.cancel(callId);
    if (!reply.ok) return;
    for (const part of reply.refused ?? []) {
      const words = REFUSED[part];
      if (words) noteDegraded(run, `${seat.label} ${words(call)}`);
    }
    run.web?.note(question, reply);
    const { tokens = 0, usage: { completionTokens = tokens } = {} } = meter ?? {};
    if (FULL_LENGTH.has(purpose)) run.paces.note(seat.model.id, clock.monotonicMs() - startedMs, completionTokens);
  };
  return { call, ended };
}

/** Sentences about parts of a request that a model has refused, for those that a caller asks for. */
const REFUSED: Partial<Record<RefusedPart, (call: GatewayCall) => string>> = {
  reasoningEffort: ({ reasoningEffort }) => `refuses reasoning effort ${reasoningEffort}: it was asked without`,
  thoughtsBesideTools: () => 'does not think where it may call tools: its provider refuses both together',
  temperature: () => 'refuses the temperature: it was asked without',
  topP: () => 'refuses top_p: it was asked without',
  parallelToolCalls: () => 'refuses parallel_tool_calls: it was asked without',
  webSearch: () => 'ran without web search: it was refused',
};

/** Reason for which a call was ended, in words for people; undefined where its fault says it. */
function reasonOf({ signal }: Run, result: CallResult, ended?: AbortSignal): string | undefined {
  if (result.ok || result.fault !== 'aborted') return undefined;
  if (signal.aborted) return 'the run was stopped';
  return typeof ended?.reason === 'string' ? ended.reason : 'too slow';
}

/** Steps of a run, in words for people. */
export const STEP: Readonly<Record<CallPurpose, string>> = {
  cast: 'points of view',
  plan: 'plan',
  advise: 'advice',
  draft: 'drafts',
  revise: 'revisions',
  review: 'review',
  attack: 'attacks',
  analyse: 'comparison',
  answer: 'answer',
  follow_ups: 'follow-up prompts',
  judge: 'verdicts',
};

/** Reports a question that is to be put, `instead` of a longer one; that of a wave is reported with its wave. */
export function queued({ observer, request }: Run, question: Question, instead?: string): void {
  if (!observer) return;
  const { callId: call, seat, round, purpose, cut: shortened } = question;
  const asked = { call, seat: seat.id, modelId: seat.model.id, round, purpose, saw: textsSeen(question), shortened };
  observer.queued(asked, { of: request.rounds, label: STEP[purpose] }, instead);
}

/** Leaves out a question, which then costs nothing. */
export function leaveOut({ ledger, observer }: Run, { callId }: Question, reason: string): void {
  ledger.cancel(callId);
  observer?.spared(callId, reason);
}

/** Wait named where a provider that takes no more names none, in seconds; no SDK waits by itself for longer than the other. */
const LIMITED_SECONDS = 5;
const SDK_WAIT_MAX_SECONDS = 60;

/** Fault of a run whose one model takes no more for a while: a 429, for which an SDK waits where nothing was paid. */
export function limitFault(text: string, { fault, cause, streamed, ...failure }: FailedCall): Fault | undefined {
  const { retryAfterSeconds = LIMITED_SECONDS, isUnpaid = false } = failure;
  const isLimited = fault === 'rate_limited' || (failure.retryAfterSeconds !== undefined && isBusy({ fault }));
  if (streamed || !isLimited) return undefined;
  const seconds = Math.max(1, Math.ceil(retryAfterSeconds));
  const isWaitedFor = isUnpaid && seconds <= SDK_WAIT_MAX_SECONDS;
  const headers = { 'retry-after': String(seconds), ...(isWaitedFor && { 'x-should-retry': 'true' }) };
  return new Fault('models_limited', text, { cause, headers });
}

/** Fault of a run that its models ended: 400 where every failure is for good; a rate limit says when one may answer. */
export function runFault(text: string, failures: readonly FailedCall[], cause?: unknown): Fault {
  const code = failures.length > 0 && failures.every(isForGood) ? 'models_refused' : 'models_failed';
  const limited = failures.filter(({ fault }) => fault === 'rate_limited');
  const waitSeconds = Math.min(...limited.map(({ retryAfterSeconds = Infinity }) => retryAfterSeconds));
  const headers = { 'retry-after': String(Math.max(1, Math.ceil(waitSeconds))) };
  return new Fault(code, text, { cause, ...(Number.isFinite(waitSeconds) && { headers }) });
}
