import { lazy } from '../lib/lazy';
import { thinksFirst } from '../models/catalog';
import { imagesIn, isAddress } from '../models/images';
import { type FinishReason, toolTextsOf } from '../models/model';
import { ratesOf } from '../models/prices';
import { authorMask } from '../prompting/author-mask';
import { newConversation } from '../prompting/prompt-draft';
import { heldBytes, type Opened, type RunContext } from '../runs/run-context';
import type { TraceSeat } from '../runs/trace-event';
import type { ModelPaces } from './deadline/answer-times';
import { answerReserveMs, Deadline, HARD_STOP_MS } from './deadline/deadline';
import { RunBudget } from './estimate/budget';
import { callsIn, callsOfRun } from './estimate/calls';
import { arbiterAlone, estimateRun, type RunEstimate } from './estimate/estimate-run';
import { finalFormWords } from './form/form-words';
import type { Seat } from './panel/panel';
import { callersTexts, type Ending, type EnsembleRequest, noteDegraded, type Opening, type Run } from './run';
import { strategyFor, strategyName } from './strategies/strategies';
import { leaveOut } from './waves/call-model';
import { NothingPaid } from './waves/drafts';
import { announcedCall, type Question } from './waves/question';
import { WebRecord } from './web/web-record';

/** Result of an ensemble: its ending, and what made it less than asked for. */
export interface EnsembleResult extends Ending {
  readonly degraded: readonly string[];
  /** Ending of the reply that the answer was written in; absent where none was, as in a plan. */
  readonly finishReason?: FinishReason;
  /** Set where nothing was called, and only this was asked for. */
  readonly plan?: RunEstimate;
}

/** Prepares an ensemble: picks the strategy and writes its first prompts. Calls no model. */
export function openEnsemble(request: EnsembleRequest, paces: ModelPaces): Opened<EnsembleResult> {
  const opening: Opening = { request, conversation: newConversation(request) };
  const strategy = strategyFor(request);
  const firstWave = strategy.firstWave(opening);
  const announced = firstWave.map(announcedCall);
  return {
    firstWave: announced,
    likelyCalls: (atMs) => {
      const { waves, closing } = callsOfRun(request, strategy.calls(request), atMs);
      return callsIn([...waves, ...closing]).map(({ seat: { model } }, at) => {
        const { promptTokens = 0, webSearch } = announced[at] ?? { ...announced[0], webSearch: undefined };
        return { model, promptTokens, replyTokens: paces.p95Tokens(model.id), ...(webSearch && { webSearch }) };
      });
    },
    about: {
      model: request.panel.arbiter.model.id,
      strategy: strategyName(strategy),
    },
    heldBytes: heldBytes(request.panel.participants.length, charactersOf(request)),
    modelIds: modelIdsOf(request),
    timeLimitMs: HARD_STOP_MS,
    play: (context) => {
      tellBeginning(context, request, paces);
      return play(runOf(context, opening, paces), firstWave);
    },
  };
}

/** Plays a run to its end; with the arbiter alone where the caller's caps leave nothing for a panel. */
async function play(run: Run, firstWave: readonly Question[]): Promise<EnsembleResult> {
  const flaw = run.budget.roundFlaw(0);
  if (flaw !== undefined) {
    for (const asked of firstWave) leaveOut(run, asked, flaw);
    return playAlone(run, flaw);
  }
  return played(run, firstWave).catch((error: unknown) => {
    if (error instanceof NothingPaid) return playAlone(run, error.message);
    throw error;
  });
}

function playAlone(run: Run, flaw: string): Promise<EnsembleResult> {
  const opening = { request: arbiterAlone(run.request, flaw), conversation: run.conversation };
  return played(runOf(run, opening, run.paces), strategyFor(opening.request).firstWave(opening));
}

/** The models that a request would call. */
export function modelIdsOf({ panel }: EnsembleRequest): ReadonlySet<string> {
  return new Set([...panel.participants, panel.arbiter].map(({ model }) => model.id));
}

async function played(run: Run, firstWave: readonly Question[]): Promise<EnsembleResult> {
  const { request } = run;
  for (const limitation of request.degraded ?? []) noteDegraded(run, limitation);
  const unpriced = request.limits?.maxCostNanoUsd === undefined ? [] : unpricedIn(run);
  if (unpriced.length > 0) noteDegraded(run, `maxCostUsd leaves out ${unpriced.join(', ')}: no price is known`);
  const ending = await strategyFor(request).play(run, firstWave);
  tellVerdict(run, ending);
  return { ...ending, ...run.answered, degraded: run.degraded };
}

function tellVerdict({ observer, degraded }: Run, ending: Ending): void {
  const { author: seat, winner, explanation, analysis, candidateSeats, agreement, checks } = ending;
  const { followUpPrompts, sources, unsupportedUrls } = ending;
  if (seat === undefined) return;
  const candidates = analysis?.unique && candidateSeats;
  const found = { explanation, analysis, candidates, agreement, checks, winner, followUpPrompts, sources };
  observer?.tell({ type: 'verdict', seat, ...found, unsupportedUrls, degraded: [...degraded] });
}

function runOf(context: RunContext, opening: Opening, paces: ModelPaces): Run {
  const { request } = opening;
  const { clock, startedAtMs, ledger } = context;
  const calls = strategyFor(request).calls(request);
  const deadline = new Deadline(clock, startedAtMs, {
    waves: calls.waves.length,
    judges: calls.verdicts !== undefined || request.includeExplanation,
    reserveMs: () => answerReserveMs(answerP95Ms(request, paces), thinksFirst(request.panel.arbiter.model)),
  });
  const budget = new RunBudget({
    request,
    calls: lazy(() => callsOfRun(request, calls, startedAtMs)),
    paces,
    atMs: startedAtMs,
    spentNanoUsd: () => ledger.endedNanoUsd(),
    elapsedMs: () => HARD_STOP_MS - deadline.remainingMs(),
  });
  return {
    ...context,
    ...opening,
    deadline,
    budget,
    paces,
    failures: [],
    degraded: [],
    answered: {},
    keptBeginnings: new Set(),
    mask: maskOf(request),
    ...(request.webSearch && { web: new WebRecord(callersTexts(request)) }),
  };
}

function unpricedIn({ request: { panel }, startedAtMs }: Run): string[] {
  const unpriced = [...panel.participants, panel.arbiter].filter(({ model }) => ratesOf(model, startedAtMs) === null);
  return [...new Set(unpriced.map(({ model }) => model.name))];
}

/** The characters that a run's prompts hold. */
function charactersOf(request: EnsembleRequest): number {
  const { history, tools } = request;
  const texts = [
    ...callersTexts(request),
    ...finalFormWords(request),
    ...[request, ...history].flatMap(toolTextsOf),
    tools?.json ?? '',
    ...[request, ...history].flatMap(imagesIn).map((image) => (isAddress(image) ? image.url : image.base64)),
  ];
  return texts.reduce((sum, { length }) => sum + length, 0);
}

/** Part of the reserve for each model: when none writes, each gets a turn, half of the time after the arbiter's. */
const LADDER_MS_A_MODEL = 8_000;

/** The arbiter's pace; for a large panel more, so that a quick arbiter does not leave the others without a turn. */
function answerP95Ms({ panel }: EnsembleRequest, paces: ModelPaces): number | undefined {
  const paceMs = paces.p95Ms(panel.arbiter.model.id);
  const models = new Set(panel.participants.map(({ model }) => model.id)).size;
  return paceMs === undefined ? undefined : Math.max(paceMs, models * LADDER_MS_A_MODEL);
}

/** One mask a run: it is applied to every text in every round, and the user's words may be long. */
function maskOf({ panel, history, message, sharedPrompt = '' }: EnsembleRequest): (text: string) => string {
  const names = [...panel.participants, panel.arbiter].flatMap(({ model }) => [model.id, model.name]);
  return authorMask(names, [...history.map(({ text }) => text), message, sharedPrompt]);
}

/** Tells a run's observer, if it has one, what is about to be played, and what that may take. */
function tellBeginning({ observer, id, startedAtMs }: RunContext, request: EnsembleRequest, paces: ModelPaces): void {
  if (!observer) return;
  const { panel, rounds } = request;
  const estimate = estimateRun(request, { paces, atMs: startedAtMs });
  observer.tell({
    type: 'run',
    version: 1,
    runId: id,
    startedAtMs,
    strategy: estimate.strategy,
    rounds,
    participants: (strategyFor(request).seats?.(request) ?? panel.participants).map(traceSeat),
    arbiter: traceSeat(panel.arbiter),
    callsMax: estimate.waves.reduce((sum, { calls }) => sum + calls.length, 0),
    costMaxNanoUsd: estimate.high.costNanoUsd,
    durationMaxMs: estimate.durationMs,
  });
}

function traceSeat({ id: seat, model, label }: Seat): TraceSeat {
  const source = model.provider === 'router' ? 'router' : 'platform';
  return { seat, modelId: model.id, modelName: model.name, label, source };
}
