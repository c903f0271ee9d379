import type { AnnouncedCall } from '../ledger/request-ledger';
import { anySignal } from '../lib/any-signal';
import type { FairSlots } from '../lib/fair-slots';
import { estimatePromptTokens } from '../models/estimate-tokens';
import { type CallResult, failedCall } from '../models/gateway/gateway-call';
import { shorterMayHelp } from '../models/gateway/retries';
import type { ModelPrompt } from '../models/model';
import type { ModelFaultKind } from '../models/model-fault';
import { allOrStop, type RunContext } from '../runs/run-context';
import type { Judge, ObserveJudges } from './evaluation';
import { type JudgeTask, judgePrompt, shortenedWords, shorterTask, verdictSchema } from './judge-prompts';
import type { EvaluationSetup, JudgeCall, JudgeSchedule } from './judge-schedule';
import { overallOf } from './scoring';
import { type Finding, readVerdict, type Verdict } from './verdict';

/** A running evaluation, as its judges' calls see it. */
export interface EvaluationRun extends EvaluationSetup, RunContext {
  readonly schedule: JudgeSchedule;
  /** Places of calls side by side, by provider. */
  readonly slots: FairSlots;
  readonly observe: ObserveJudges | undefined;
}

/** Why a judge has no usable scores for a response; `unusable`: it answered, but not with scores. */
export type MissingCause = ModelFaultKind | 'unusable';

export interface Outcome {
  readonly judge: Judge;
  readonly response: number;
  readonly result: Finding | MissingCause;
}

type AskedCall = JudgeCall & JudgeTask;

/** The answer is ready by then, of the 540 s that the platform gives: what is not in is counted as missing. */
export const TIME_LIMIT_MS = 480_000;
/** A repair with less time than this left is not begun. */
const REPAIR_TIME_MIN_MS = 20_000;

/** A call as the ledger lists it before it is made. */
export function announcedCall(setup: EvaluationSetup, call: JudgeCall): AnnouncedCall {
  const asked = askedCall(setup, call);
  return announced(asked, judgePrompt(asked));
}

/** Makes all calls, side by side as far as the limits let it; outcomes come in the order of the calls. */
export async function askAll(run: EvaluationRun, calls: readonly JudgeCall[]): Promise<Outcome[]> {
  const broken = new AbortController();
  const signal = anySignal(run.signal, broken.signal);
  const asked = calls.map((call) => askJudge({ ...run, signal }, askedCall(run, call)));
  return (await allOrStop(asked, () => broken.abort())).flat();
}

/** Makes one call, and one more to repair what could not be used of its reply; an outcome for every response of it. */
async function askJudge(run: EvaluationRun, call: AskedCall): Promise<Outcome[]> {
  const { asked, reply } = await ask(run, call);
  const cause = reply.ok ? (reply.finishReason === 'content_filter' ? 'content_filter' : 'unusable') : reply.fault;
  const verdict = reply.ok ? readVerdict(reply.text, asked.shown) : undefined;
  const isRepairable = cause === 'unusable' && verdict !== undefined && verdict.problems.length > 0;
  const findings = isRepairable ? await repaired(run, asked, verdict) : verdict?.findings;
  return asked.shown.map((shown): Outcome => {
    const finding = findings?.get(shown.label);
    const reasoning = `${shortenedWords(asked, shown)} ${finding?.reasoning ?? ''}`.trim();
    const result = finding ? { ...finding, reasoning } : cause;
    tell(run, call, { response: shown.index, result });
    return { judge: call.judge, response: shown.index, result };
  });
}

/** Tells the observer how far a judge is with a response. */
function tell(
  { observe, request }: EvaluationRun,
  { judge: { index, id, name }, round }: JudgeCall,
  { response, result }: Pick<Outcome, 'response'> & Partial<Outcome>,
): void {
  const about = { type: 'judge', judge: { index, id, name }, response, round } as const;
  if (result === undefined) observe?.({ ...about, state: 'started' });
  else if (typeof result === 'string') observe?.({ ...about, state: 'failed', reason: causeWords(result) });
  else {
    const { scores, reasoning } = result;
    const overallScore = overallOf(scores, request.responses[response]?.role);
    observe?.({ ...about, state: 'done', scores, overallScore, reasoning });
  }
}

/** Asks once more, for the failed items only; a repaired item counts where it is the better one. */
async function repaired(run: EvaluationRun, asked: AskedCall, verdict: Verdict): Promise<Verdict['findings']> {
  run.log.warn('verdict unusable', { requestId: run.id, modelId: asked.judge.model.id });
  const shown = asked.shown.filter(({ label }) => missingIn(verdict, label) > 0);
  const callId = `${asked.callId}.repair`;
  const { reply } = await ask(run, { ...asked, callId, shown, problems: verdict.problems });
  if (!reply.ok) return verdict.findings;
  const second = readVerdict(reply.text, shown);
  const better = [...second.findings].filter(([label]) => missingIn(second, label) < missingIn(verdict, label));
  return new Map([...verdict.findings, ...better]);
}

/** Number of missing scores; all of them where there is no finding. */
function missingIn({ findings }: Verdict, label: string): number {
  return findings.get(label)?.missing.length ?? Number.POSITIVE_INFINITY;
}

/** Asks a judge; one that finds the texts too long gets them once more, shortened, in what is left of the call's time. */
function ask(run: EvaluationRun, asked: AskedCall): Promise<{ readonly asked: AskedCall; readonly reply: CallResult }> {
  return run.slots.run(async () => {
    const leftMs = timeLeftMs(run);
    const isRepair = asked.problems.length > 0;
    if (leftMs < (isRepair ? REPAIR_TIME_MIN_MS : 0)) return { asked, reply: failedCall('timeout') };
    if (!isRepair) for (const { index } of asked.shown) tell(run, asked, { response: index });
    const endsAtMs = run.clock.nowMs() + Math.min(run.request.strategy.callBudgetMs, leftMs);
    const reply = await callJudge(run, asked, endsAtMs);
    const mayHelp = shorterMayHelp(reply) && endsAtMs > run.clock.nowMs();
    const task = mayHelp ? shorterTask(asked) : undefined;
    if (!task) return { asked, reply };
    const shorter = { ...asked, ...task, callId: `${asked.callId}.shorter` };
    return { asked: shorter, reply: await callJudge(run, shorter, endsAtMs) };
  }, asked.judge.model.provider);
}

/** One call. Its prompt is built only now: those of calls that wait in line would fill the memory. */
function callJudge(run: EvaluationRun, asked: AskedCall, endsAtMs: number): Promise<CallResult> {
  const { gateway, scope, ledger, signal, clock } = run;
  const prompt = judgePrompt(asked);
  const listed = announced(asked, prompt);
  return gateway.call({
    scope,
    model: asked.judge.model,
    place: listed,
    prompt,
    purpose: 'judge',
    sampling: { temperature: 0 },
    outputSchema: verdictSchema(asked),
    signal,
    budgetMs: endsAtMs - clock.nowMs(),
    openAttempt: (attempt) => ledger.openAttempt(listed, attempt),
  });
}

/** Until the answer must be ready, when the signal aborts. */
export function timeLeftMs({ startedAtMs, clock }: RunContext): number {
  return startedAtMs + TIME_LIMIT_MS - clock.nowMs();
}

function announced(asked: AskedCall, prompt: ModelPrompt): AnnouncedCall {
  const { callId, round, judge } = asked;
  const promptTokens = estimatePromptTokens(prompt, verdictSchema(asked).schema);
  return { callId, model: judge.model, seat: `j${judge.index + 1}`, purpose: 'judge', round, promptTokens };
}

function askedCall({ request, labels, material }: EvaluationSetup, call: JudgeCall): AskedCall {
  const labelOf = labels.labels(call.reader, call.responses);
  const shown = call.responses.map((index) => ({
    index,
    label: labelOf.get(index) ?? '',
    role: request.responses[index]?.role,
    response: material.responses[index] ?? '""',
    firstOpinions: call.firstOpinions?.get(index),
  }));
  const { brief = false } = request.strategy;
  return { ...call, message: material.message, shown, brief, problems: [] };
}

const CAUSE_WORDS: Readonly<Partial<Record<MissingCause, string>>> = {
  rate_limited: 'rate limited',
  overloaded: 'overloaded',
  timeout: 'timed out',
  aborted: 'timed out',
  out_of_credit: 'out of credit',
  not_configured: 'not configured',
  not_found: 'not found',
  context_length: 'too long for the judge',
  network: 'not reachable',
  protocol: 'not reachable',
  content_filter: 'refused',
  empty: 'without an answer',
  output_too_long: 'without an end',
  output_limit_used_up: 'without an answer',
  token_grant_used_up: 'without tokens left',
  unusable: 'unusable output',
};

export function causeWords(cause: MissingCause): string {
  return CAUSE_WORDS[cause] ?? 'not available';
}
