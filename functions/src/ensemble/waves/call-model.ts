import { Fault } from '../../errors';
import {
  type AnsweredCall,
  type CallMeter,
  type CallResult,
  type FailedCall,
  failedCall,
  type GatewayCall,
  type RefusedPart,
} from '../../models/gateway/gateway-call';
import { isForGood, shorterMayHelp } from '../../models/gateway/retries';
import { type CallPurpose, FULL_LENGTH, WRITING } from '../../models/model';
import type { Seat } from '../panel/panel';
import { noteDegraded, type Run } from '../run';
import { markFilter } from './mark-filter';
import { announcedCall, type Question, shorterQuestion, textsSeen } from './question';

/** Options of one call of a model. */
export interface CallOptions
  extends Pick<GatewayCall, 'budgetMs' | 'sampling' | 'outputSchema' | 'onText' | 'onToolCall' | 'onWait'> {
  readonly signal?: AbortSignal;
  /** Receives the meter of every attempt as it starts. */
  readonly onAttempt?: (meter: CallMeter) => void;
}

/** Calls the model of a question within the caps, once more where it finds it too long. Never throws for its failure. */
export async function callModel(run: Run, question: Question, options: CallOptions): Promise<CallResult> {
  const { budget, clock } = run;
  // An answer must come, whatever it costs.
  const isPaid = question.purpose === 'answer' || budget.admit([question]) === undefined;
  queued(run, question);
  if (options.budgetMs <= 0 || !isPaid) {
    leaveOut(run, question, isPaid ? 'no time was left for it' : 'what the caller allows was used up');
    budget.ended(question);
    return failedCall(isPaid ? 'timeout' : 'aborted');
  }
  const endsAtMs = clock.nowMs() + options.budgetMs;
  const outputTokensMax = budget.outputTokensMax(question.callId);
  const mayAskAgain = (): boolean => question.purpose === 'answer' || budget.mayAskAgain();
  const capped = { ...options, mayAskAgain, ...(outputTokensMax !== undefined && { outputTokensMax }) };
  let result = await put(run, question, capped);
  const shorter = shorterMayHelp(result) && mayAskAgain() ? shorterQuestion(question) : undefined;
  const budgetMs = endsAtMs - clock.nowMs();
  if (shorter?.cut && budgetMs > 0) {
    run.observer?.shortened(question.callId, shorter.callId);
    queued(run, shorter);
    result = await put(run, shorter, { ...capped, budgetMs });
  }
  budget.ended(question, result.ok ? result.text : undefined);
  // Its cause leads to the prompt.
  if (!result.ok) run.failures.push({ ...result, cause: undefined, seat: question.seat });
  return result;
}

/** Puts a question to its model through the gateway, and notes how that went. */
async function put(
  run: Run,
  question: Question,
  { onAttempt, ...options }: CallOptions & Pick<GatewayCall, 'mayAskAgain' | 'outputTokensMax'>,
): Promise<CallResult> {
  const { clock, ledger, observer } = run;
  const { outputSchema, ...bare } = question;
  const { callId, seat, prompt, purpose, cut } = bare;
  if (cut) noteDegraded(run, `${seat.label} was shown shortened texts: its context window holds no more`);
  const startedMs = clock.nowMs();
  let meter: CallMeter | undefined;
  const filter = markFilter(run, question, options.onText);
  const reply = await run.gateway.call({
    scope: run.scope,
    model: seat.model,
    prompt,
    purpose,
    signal: run.signal,
    ...settingsOf(question),
    ...options,
    ...filter?.listening,
    ...(outputSchema && { outputSchema }),
    ...(observer && { heard: observer.hearing(callId) }),
    openAttempt: async (attempt, sent) => {
      const entry = await ledger.openAttempt(announcedCall(sent ? question : bare), attempt);
      meter = entry.meter;
      onAttempt?.(meter);
      return entry;
    },
  });
  if (reply.ok) noteReply(run, question, { reply, meter, durationMs: clock.nowMs() - startedMs });
  // A call that was listed for its wave and then spared is not to be counted.
  if (!meter) ledger.cancel(callId);
  const result = filter ? await filter.end(reply) : reply;
  observer?.ended(callId, result, reasonOf(run, question, result));
  return result;
}

/** Settings of a participant; the answer has those of the request, and judgements have no sampling. */
function settingsOf({ seat, purpose }: Question): Pick<GatewayCall, 'sampling' | 'reasoningEffort'> {
  const { sampling, reasoningEffort } = seat;
  return { ...(sampling && WRITING.has(purpose) && { sampling }), ...(reasoningEffort && { reasoningEffort }) };
}

/** Sentences about parts of a request that a model has refused, for those that a caller asks for. */
const REFUSED: Partial<Record<RefusedPart, (seat: Seat) => string>> = {
  reasoningEffort: ({ reasoningEffort }) => `refuses reasoning effort ${reasoningEffort}: it was asked without`,
  temperature: () => 'refuses the temperature: it was asked without',
  topP: () => 'refuses top_p: it was asked without',
  parallelToolCalls: () => 'refuses parallel_tool_calls: it was asked without',
  webSearch: () => 'ran without web search: it was refused',
};

/** A reply as it came, before the marks of its prompt go. */
interface Replied {
  readonly reply: AnsweredCall;
  readonly meter: CallMeter | undefined;
  readonly durationMs: number;
}

function noteReply(run: Run, question: Question, { reply, meter, durationMs }: Replied): void {
  const { seat, purpose } = question;
  for (const part of reply.refused ?? []) {
    const words = REFUSED[part];
    if (words) noteDegraded(run, `${seat.label} ${words(seat)}`);
  }
  run.web?.note(question, reply);
  const { tokens = 0, usage: { completionTokens = tokens } = {} } = meter ?? {};
  if (FULL_LENGTH.has(purpose)) run.paces.note(seat.model.id, durationMs, completionTokens);
}

/** Reason for which a call was ended, in words for people; undefined where its fault says it. */
function reasonOf({ signal }: Run, { purpose }: Question, result: CallResult): string | undefined {
  if (result.ok || result.fault !== 'aborted') return undefined;
  if (signal.aborted) return 'the run was stopped';
  return purpose === 'follow_ups' ? 'the answer was there first' : 'too slow';
}

/** Steps of a run, in words for people. */
export const STEP: Readonly<Record<CallPurpose, string>> = {
  cast: 'points of view',
  plan: 'plan',
  draft: 'drafts',
  revise: 'revisions',
  review: 'review',
  attack: 'attacks',
  analyse: 'comparison',
  answer: 'answer',
  follow_ups: 'follow-up prompts',
  judge: 'verdicts',
};

/** Reports a question that is to be put; that of a wave is reported with its wave. */
export function queued({ observer, request }: Run, question: Question): void {
  if (!observer || observer.isOpen(question.callId)) return;
  const { callId: call, seat, round, purpose, cut: shortened } = question;
  observer.step({ round, of: request.rounds, purpose, label: STEP[purpose] });
  const saw = textsSeen(question);
  observer.queued({ call, seat: seat.id, modelId: seat.model.id, round, purpose, saw, shortened });
}

/** Leaves out a question, which then costs nothing. */
export function leaveOut({ ledger, observer }: Run, { callId }: Question, reason: string): void {
  ledger.cancel(callId);
  observer?.spared(callId, reason);
}

/** Fault of a run that its models ended: 400 where every failure is for good; a rate limit says when one may answer. */
export function runFault(text: string, failures: readonly FailedCall[], cause?: unknown): Fault {
  const code = failures.length > 0 && failures.every(isForGood) ? 'models_refused' : 'models_failed';
  const limited = failures.filter(({ fault }) => fault === 'rate_limited');
  const waitSeconds = Math.min(...limited.map(({ retryAfterSeconds = Infinity }) => retryAfterSeconds));
  const headers = { 'retry-after': String(Math.max(1, Math.ceil(waitSeconds))) };
  return new Fault(code, text, { cause, ...(Number.isFinite(waitSeconds) && { headers }) });
}
