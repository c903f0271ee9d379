/* A request for a run, from its fields to its reply; a plan is a run that calls nothing. */
import { refuseModels } from '../../access/guard';
import { leastCostNanoUsd } from '../../ensemble/estimate/estimate';
import { estimateRun } from '../../ensemble/estimate/estimate-run';
import { type EnsembleResult, modelIdsOf, openEnsemble } from '../../ensemble/open-ensemble';
import type { EnsembleRequest } from '../../ensemble/run';
import { beginsWithArbiter } from '../../ensemble/strategies/agent/agent';
import { PASS_THROUGH, strategyFor, strategyName, takesTools } from '../../ensemble/strategies/strategies';
import { Fault, isRefusal, type Refusal, refuse } from '../../errors';
import type { ApiRequest } from '../../http/route';
import { formatUsd } from '../../lib/usd';
import { newCallId } from '../../models/tools';
import { admit } from '../../runs/admit';
import type { EventSink } from '../../runs/run-context';
import type { EndpointDeps } from '../deps';
import { ensembleRequest } from '../ensemble-options/ensemble-request';
import { IGNORED_MAX, ignoredIn, ignoredInstructions, ignoredWishes } from '../ensemble-options/ignored';
import { inItsTurn, keepTurn } from '../ensemble-options/kept-turn';
import type { RunFields } from '../ensemble-options/run-fields';
import { keptRequest } from '../shared/kept-request';
import { playAsCall, type Tell } from './answer-as-call';
import { planSentence } from './plan';
import { heldReply, type Playable, playable, streamReply, wholeReply } from './replies';
import type { Wire } from './wire';

type Asked = RunFields & { readonly sent: object };

/** An endpoint's way of replying. */
interface Answering<Body extends object> {
  readonly wire: Wire<Body>;
  /** Fields that it acts on, and those besides where one model answers alone, or acts for an ensemble. */
  readonly heard: readonly string[];
  readonly heardWithTools?: readonly string[];
}

/** A run that was let in, or its plan, and what it is. */
interface Opened extends Playable<EnsembleResult> {
  readonly strategy: string;
  /** True if its answer is the call of a tool. */
  readonly isCall: boolean;
  /** True if its stream begins with what its model says: one is asked before any other, and no trace shows what happens. */
  readonly isHeld: boolean;
}

/** Fields with the form of an answer that is a text. */
const FORM_FIELDS: readonly string[] = ['response_format', 'text'];

/** Nothing was consumed. */
const NOTHING = {
  ...{ promptTokens: 0, completionTokens: 0, cachedPromptTokens: 0, reasoningTokens: 0 },
  ...{ costNanoUsd: 0, durationMs: 0, calls: 0, unpricedModels: [] },
};

/** Declares how an endpoint plays the run that a request asks for, or tells its plan, and replies as it asks for. */
export function answering<Body extends object>({ wire, ...acting }: Answering<Body>) {
  return async (deps: EndpointDeps, request: ApiRequest, fields: Asked) => {
    const opened = await openRun(deps, request, fields);
    if (isRefusal(opened)) return opened;
    const ignored = ignoredIn(fields.sent, actedOn(acting, fields, opened));
    const wishes = ignoredWishes(fields, opened.strategy);
    const head = {
      id: `${wire.idPrefix}${deps.replyTimes.of(request.startedAtMs)}`,
      created: Math.floor(request.startedAtMs / 1000),
      model: fields.model,
      ignored: [...ignoredInstructions(fields), ...wishes, ...(fields.ignored ?? []), ...ignored].slice(0, IGNORED_MAX),
      strategy: opened.strategy,
      sent: fields.sent,
    };
    if (!fields.stream) {
      return wholeReply(opened, (finished, content, trace) => wire.whole({ ...head, trace }, finished, content));
    }
    const streamed = { ...opened, wire };
    return opened.isHeld ? heldReply(streamed, head, deps.clock) : streamReply(streamed, head);
  };
}

/** The fields that a run acts on: those about tools where it may call some, but no form of a text where its answer is a call. */
function actedOn(
  { heard, heardWithTools = [] }: Pick<Answering<object>, 'heard' | 'heardWithTools'>,
  { answerForm }: Asked,
  { strategy, isCall }: Opened,
): readonly string[] {
  if (!isCall) return takesTools(strategy) ? [...heard, ...heardWithTools] : heard;
  return [...heard.filter((name) => !FORM_FIELDS.includes(name) || !answerForm), ...heardWithTools];
}

/** The run that a request asks for, admitted; or its plan, where it asks for no more than that. */
export async function openRun(deps: EndpointDeps, request: ApiRequest, fields: Asked): Promise<Opened | Refusal> {
  const { id, startedAtMs, caller } = request;
  const { messages, store: isStored, sent, ai_ensemble: options } = fields;
  const asked = await ensembleRequest(deps, fields, id);
  if (isRefusal(asked)) return asked;
  const ensemble = caller.denial ? asked : await inItsTurn(deps, caller.userId, asked);
  const strategy = strategyName(strategyFor(ensemble));
  const { name = '', isCall = false } = ensemble.answerForm ?? {};
  // Who is over the limit was not looked up, and can only be refused.
  if (options.dryRun && !caller.denial) {
    const plan = openPlan(deps, request, ensemble);
    return isRefusal(plan) ? plan : { ...plan, strategy, isCall, isHeld: false };
  }
  const opened = openEnsemble(ensemble, deps.answerTimes.of(caller.userId));
  const admitted = refuseCost(ensemble, startedAtMs) ?? (await admit(deps, request, opened));
  if (isRefusal(admitted)) return admitted;
  const begin = (tell?: Tell) => {
    const kept = { prompt: messages.message, request: keptRequest(sent), isStored };
    return deps.keptRuns.begin(admitted, kept, tell);
  };
  const { play, ...about } = playable(admitted, options.includeTrace ? begin : undefined);
  const playKept: typeof play = async (sink, tell) => {
    const ended = await play(sink, tell);
    if (!(ended instanceof Fault)) await keepTurn(deps, caller.userId, { ...ensemble, turn: ended.result.turn });
    return ended;
  };
  const isHeld = (strategy === PASS_THROUGH || beginsWithArbiter(ensemble)) && !options.includeTrace;
  return { ...about, strategy, isCall, isHeld, play: isCall ? playAsCall({ id: newCallId(), name }, play) : playKept };
}

/** A 400 where not even a short answer of the arbiter alone fits what the run may cost. */
function refuseCost(request: EnsembleRequest, atMs: number): Refusal | undefined {
  const { maxCostNanoUsd = Infinity } = request.limits ?? {};
  const least = maxCostNanoUsd === Infinity ? 0 : leastCostNanoUsd(request, atMs);
  if (least <= maxCostNanoUsd) return undefined;
  const rule = `one answer alone costs at least ${formatUsd(least)}`;
  return refuse('invalid_request', `Invalid ai_ensemble.maxCostUsd: ${rule}`);
}

/** A plan as if it were a run: nothing is called or booked, and like a read it takes only a slot of its user's bucket. */
function openPlan(deps: EndpointDeps, { caller, startedAtMs: atMs }: ApiRequest, ensemble: EnsembleRequest) {
  const barred = refuseModels(caller.limits, modelIdsOf(ensemble));
  if (barred) return barred;
  deps.guard.count(caller);
  const plan = estimateRun(ensemble, { paces: deps.answerTimes.of(caller.userId), atMs });
  const play = async (sink: EventSink) => {
    await sink.text(planSentence(plan));
    return { result: { degraded: [], plan }, totals: NOTHING };
  };
  return { headers: {}, isTraced: false, play };
}
