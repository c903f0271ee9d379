import type { CallResult } from '../models/gateway';
import { estimatePromptTokens, type ModelFaultKind, type ModelPrompt } from '../models/model';
import { openAttempt } from '../usage/attempts';
import type { PlannedCall } from '../usage/books';
import type { Judge } from './evaluation';
import { type Exhibit, isSecondLook, type JudgeTask, judgePrompt, verdictSchema } from './judge-prompts';
import type { JudgeCall } from './plan';
import type { Preparation, Session } from './session';
import { type Finding, readVerdict, type Verdict } from './verdict';

/** Why a judge has no usable scores for a response; `unusable`: it answered, but not with scores. */
export type MissingCause = ModelFaultKind | 'unusable';

/** What one call brought on one response. */
export type Outcome = { readonly finding: Finding } | { readonly cause: MissingCause };

/** What the judge and its peers said of a response before, where it is to look again. */
export type FirstLooks = (judge: Judge, response: number) => Exhibit['firstLook'];

/** A call may take this long, retries included; in `speed_pair` less. */
const CALL_BUDGET_MS = 150_000;
const SPEED_CALL_BUDGET_MS = 60_000;
/** A repair with less time than this left is not begun. */
const REPAIR_TIME_MIN_MS = 20_000;

/** A call of the first round as the books list it before it starts. */
export function plannedJudgeCall(prepared: Preparation, call: JudgeCall): PlannedCall {
  const task = taskOf(prepared, call);
  return planned(call, task, judgePrompt(task));
}

/**
 * Makes one judge call, and one more to repair what could not be used of its reply. Resolves with an outcome for every
 * response of the call, whatever the model does; rejects only when the books cannot be kept.
 */
export async function hearJudge(
  session: Session,
  call: JudgeCall,
  firstLooks?: FirstLooks,
): Promise<ReadonlyMap<number, Outcome>> {
  const task = taskOf(session, call, firstLooks);
  const reply = await ask(session, call, task);
  if (!reply.ok) return new Map(call.responses.map((response) => [response, { cause: reply.fault }]));
  const first = readVerdict(reply.text, task.exhibits);
  const refused = reply.finishReason === 'content_filter';
  const verdict = first.problems.length === 0 || refused ? first : await repaired(session, call, { task, first });
  return new Map(
    call.responses.map((response, index) => {
      const finding = verdict.findings.get(task.exhibits[index]?.label ?? '');
      return [response, finding ? { finding } : { cause: refused ? 'content_filter' : 'unusable' }];
    }),
  );
}

interface Spoilt {
  readonly task: JudgeTask;
  readonly first: Verdict;
}

/** Asks once more, for the failed items only; a repaired item counts where it is the better one. */
async function repaired(session: Session, call: JudgeCall, { task, first }: Spoilt): Promise<Verdict> {
  const failed = (exhibit: Exhibit): boolean => missingIn(first, exhibit) > 0;
  logUnusable(session, call);
  const exhibits = task.exhibits.filter(failed);
  const again = { ...task, exhibits, problems: first.problems };
  const reply = await ask(session, { ...call, callId: `${call.callId}.repair` }, again);
  if (!reply.ok) return first;
  const second = readVerdict(reply.text, exhibits);
  const better = exhibits.filter((exhibit) => missingIn(second, exhibit) < missingIn(first, exhibit));
  const findings = new Map(first.findings);
  for (const { label } of better) {
    const finding = second.findings.get(label);
    if (finding) findings.set(label, finding);
  }
  return { findings, problems: second.problems };
}

/** How many scores lack; all of them where there is no finding. */
function missingIn({ findings }: Verdict, { label }: Exhibit): number {
  return findings.get(label)?.missing.length ?? Number.POSITIVE_INFINITY;
}

const TOO_LATE: CallResult = { ok: false, fault: 'timeout', cause: undefined, streamed: false };

function ask(session: Session, call: JudgeCall, task: JudgeTask): Promise<CallResult> {
  const { gateway, scope, books, slots, clock, signal, request, endsAtMs } = session;
  const { model } = call.judge;
  const roles = task.exhibits.map(({ role }) => role);
  const budgetMaxMs = request.strategy === 'speed_pair' ? SPEED_CALL_BUDGET_MS : CALL_BUDGET_MS;
  const leastMs = task.problems.length > 0 ? REPAIR_TIME_MIN_MS : 0;
  return slots.run(model.provider, async (): Promise<CallResult> => {
    const leftMs = endsAtMs - clock.nowMs();
    if (leftMs < leastMs) return TOO_LATE;
    // Built only now: the prompts of calls that wait in line would fill the memory.
    const prompt = judgePrompt(task);
    const listed = planned(call, task, prompt);
    return gateway.call({
      scope,
      model,
      prompt,
      purpose: 'judge',
      sampling: { temperature: 0 },
      outputSchema: verdictSchema(roles, isSecondLook(task)),
      signal,
      budgetMs: Math.min(budgetMaxMs, leftMs),
      openAttempt: (attempt) => openAttempt(books, listed, attempt),
    });
  });
}

function logUnusable({ id, log }: Session, { judge }: JudgeCall): void {
  log.verdictUnusable(id, judge.model.id);
}

function planned({ callId, judge }: JudgeCall, task: JudgeTask, prompt: ModelPrompt): PlannedCall {
  return {
    callId,
    model: judge.model,
    seat: `j${judge.place + 1}`,
    purpose: 'judge',
    round: isSecondLook(task) ? 2 : 1,
    promptTokens: estimatePromptTokens(prompt),
  };
}

function taskOf(prepared: Preparation, call: JudgeCall, firstLooks?: FirstLooks): JudgeTask {
  const { request, layout, material } = prepared;
  const labels = layout.labels(call.reader, call.responses);
  const exhibits = call.responses.map((response): Exhibit => {
    const role = request.responses[response]?.role;
    const firstLook = firstLooks?.(call.judge, response);
    return {
      label: labels.get(response) ?? '',
      response: material.responses[response] ?? '""',
      ...(role !== undefined && { role }),
      ...(firstLook && { firstLook }),
    };
  });
  return { prompt: material.prompt, exhibits, brief: request.strategy === 'speed_pair', problems: [] };
}
