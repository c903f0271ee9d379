import {
  type CallMeter,
  type CallResult,
  failedCall,
  type GatewayCall,
  type RefusedPart,
} from '../../models/gateway/gateway-call';
import { shorterMayHelp } from '../../models/gateway/retries';
import { FULL_LENGTH, WRITING } from '../../models/model';
import type { Seat } from '../panel/panel';
import { noteDegraded, type Run } from '../run';
import { announcedCall, type Question, shorterQuestion, textsSeen } from './question';
import { STEP } from './step-words';
import { marksIn, unmarked } from './unmarked';

/** How one question is put. */
export interface AskOptions
  extends Pick<GatewayCall, 'budgetMs' | 'sampling' | 'outputSchema' | 'onText' | 'onToolCall' | 'onWait'> {
  readonly signal?: AbortSignal;
  /** Told of every attempt as it starts. */
  readonly onAttempt?: (meter: CallMeter) => void;
}

/**
 * Puts one question, unless its caller's caps leave nothing for it; every attempt is in the ledger before it starts. A
 * model that finds it too long gets it once more, shorter. The reply comes without the marks of its prompt. Never throws
 * for a model's failure.
 */
export async function askOne(run: Run, question: Question, options: AskOptions): Promise<CallResult> {
  // An answer must come, whatever it costs.
  const isPaid = question.purpose === 'answer' || run.budget.admit([question]) === undefined;
  queued(run, question);
  if (options.budgetMs <= 0 || !isPaid) {
    leaveOut(run, question, isPaid ? 'no time was left for it' : 'what the caller allows was used up');
    run.budget.ended(question);
    return failedCall(isPaid ? 'timeout' : 'aborted');
  }
  let text: string | undefined;
  try {
    const result = await putQuestion(run, question, options);
    if (result.ok) text = result.text;
    return result;
  } finally {
    run.budget.ended(question, text);
  }
}

/** Puts it, if need be shorter, and notes how that went. */
async function putQuestion(run: Run, question: Question, options: AskOptions): Promise<CallResult> {
  const startedMs = run.clock.nowMs();
  const capped = { ...options, ...capOf(run, question) };
  let result = await callModel(run, question, capped);
  if (shorterMayHelp(result) && capped.mayAskAgain()) {
    const shorter = shorterQuestion(question);
    const budgetMs = options.budgetMs - (run.clock.nowMs() - startedMs);
    if (shorter.cut && budgetMs > 0) {
      run.observer?.shortened(question.callId, shorter.callId);
      result = await callModel(run, shorter, { ...capped, budgetMs });
    }
  }
  // Its cause leads to the prompt.
  if (!result.ok) run.failures.push({ ...result, cause: undefined, seat: question.seat });
  return result;
}

/** What the caller's caps mean for one call: how much it may write, and whether it may be made again. */
function capOf({ budget }: Run, { callId, purpose }: Question): Cap {
  const outputTokensMax = budget.outputTokensMax(callId);
  return {
    mayAskAgain: () => purpose === 'answer' || budget.mayAskAgain(),
    ...(outputTokensMax !== undefined && { outputTokensMax }),
  };
}

interface Cap extends Pick<GatewayCall, 'outputTokensMax'> {
  mayAskAgain(): boolean;
}

/**
 * Settings that the caller has given a participant. The answer is made with the request's sampling, whoever writes it; a judgement
 * is not a matter of temperature.
 */
function settingsOf({ seat, purpose }: Question): Pick<GatewayCall, 'sampling' | 'reasoningEffort'> {
  const { sampling, reasoningEffort } = seat;
  return { ...(sampling && WRITING.has(purpose) && { sampling }), ...(reasoningEffort && { reasoningEffort }) };
}

/** A question is to be put; that of a wave is told with its wave. */
export function queued({ observer, request }: Run, question: Question): void {
  if (!observer || observer.isOpen(question.callId)) return;
  const { callId: call, seat, round, purpose, cut: shortened } = question;
  observer.step({ round, of: request.rounds, purpose, label: STEP[purpose] });
  const saw = textsSeen(question);
  observer.queued({ call, seat: seat.id, modelId: seat.model.id, round, purpose, saw, shortened });
}

/** A question is not put after all, and costs nothing. */
export function leaveOut({ ledger, observer }: Run, { callId }: Question, reason: string): void {
  ledger.cancel(callId);
  observer?.spared(callId, reason);
}

/** A call whose text is for people or for other models: neither is to read what holds the prompt's texts apart. */
async function callModel(run: Run, question: Question, options: AskOptions & Cap): Promise<CallResult> {
  const { onText, ...others } = options;
  const marks = marksIn(run, question);
  queued(run, question);
  const result = await (marks
    ? unmarked(marks, onText, (listen) => putToModel(run, question, { ...others, ...listen }))
    : putToModel(run, question, options));
  run.observer?.ended(question.callId, result, reasonOf(run, question, result));
  return result;
}

/** Sentences about parts of a request that a model has refused, for those that a caller asks for. */
const REFUSED: Partial<Record<RefusedPart, (seat: Seat) => string>> = {
  reasoningEffort: ({ reasoningEffort }) => `refuses reasoning effort ${reasoningEffort}: it was asked without`,
  temperature: () => 'refuses the temperature: it was asked without',
  topP: () => 'refuses top_p: it was asked without',
  parallelToolCalls: () => 'refuses parallel_tool_calls: it was asked without',
  webSearch: () => 'ran without web search: it was refused',
};

/** Why we ended a call, in words for people; undefined where its fault says it. */
function reasonOf({ signal }: Run, { purpose }: Question, result: CallResult): string | undefined {
  if (result.ok || result.fault !== 'aborted') return undefined;
  if (signal.aborted) return 'the run was stopped';
  return purpose === 'follow_ups' ? 'the answer was there first' : 'too slow';
}

async function putToModel(run: Run, question: Question, options: AskOptions & Cap): Promise<CallResult> {
  const { outputSchema, ...bare } = question;
  const { seat, prompt, purpose, cut } = bare;
  const { onAttempt, ...more } = options;
  if (cut) noteDegraded(run, `${seat.label} was shown shortened texts: its context window holds no more`);
  const startedMs = run.clock.nowMs();
  const meters: CallMeter[] = [];
  const result = await run.gateway.call({
    scope: run.scope,
    model: seat.model,
    prompt,
    purpose,
    signal: run.signal,
    ...settingsOf(question),
    ...more,
    ...(outputSchema && { outputSchema }),
    ...(run.observer && { heard: run.observer.hearing(question.callId) }),
    openAttempt: async (attempt, sent) => {
      const entry = await run.ledger.openAttempt(announcedCall(sent ? question : bare), attempt);
      meters.push(entry.meter);
      onAttempt?.(entry.meter);
      return entry;
    },
  });
  if (result.ok) {
    for (const part of result.refused ?? []) {
      const words = REFUSED[part];
      if (words) noteDegraded(run, `${seat.label} ${words(seat)}`);
    }
    run.web?.note(question, result);
    const { tokens = 0, usage: { completionTokens = tokens } = {} } = meters.at(-1) ?? {};
    if (FULL_LENGTH.has(purpose)) run.paces.note(seat.model.id, run.clock.nowMs() - startedMs, completionTokens);
  }
  // A call that was listed for its wave and then spared is not to be counted.
  if (meters.length === 0) run.ledger.cancel(question.callId);
  return result;
}
