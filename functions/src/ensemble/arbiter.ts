import { Fault } from '../errors';
import { type Analysis, parseAnalysis } from './analysis';
import { type Authored, labelShuffled } from './anonymise';
import { askForAnswer, askOne, faultWords, type Question } from './ask';
import { type Ballot, bordaPoints } from './ballot';
import { conversationOf } from './conversation';
import { ANSWER_RESERVE_MS } from './deadline';
import { degrade } from './degrade';
import type { Candidate } from './events';
import { explain } from './explanation';
import { startFollowUps } from './follow-ups';
import type { Seat } from './panel';
import { type ArbiterCandidate, type ArbiterMaterial, analysisPrompt, answerPrompt, repairPrompt } from './prompts';
import type { Run } from './run';

/** What the waves leave behind: each surviving participant's last word. */
export interface Member extends Authored {
  /** Its first draft, where later rounds changed it. */
  readonly firstDraft?: string;
}

/** A repaired analysis is asked for only with this much time to spare. */
const REPAIR_SPARE_MS = 30_000;

/**
 * The end of every strategy: analysis (only when an explanation is wanted), the streamed answer, candidates,
 * follow-ups. Calls: 1 + v, plus 1 for follow-ups. Throws `models_failed` when nobody can write the answer.
 */
export async function conclude(run: Run, members: readonly Member[], ballots: readonly Ballot[]): Promise<void> {
  const points = bordaPoints(ballots);
  const candidates = labelForArbiter(run, members);
  const material: ArbiterMaterial = {
    systemPrompt: run.request.systemPrompt,
    candidates,
    ...(points.size > 0 && { ballot: ballotLine(candidates, points) }),
  };
  const analysis = run.request.includeExplanation ? await analyse(run, material) : undefined;
  if (analysis) run.emit({ type: 'explanation', text: explain(run, candidates, analysis) });
  else if (run.request.includeExplanation)
    degrade(run, `No explanation: ${run.request.panel.arbiter.label} gave no usable comparison`);
  const ranked = [...members].sort((a, b) => (points.get(b.seat.id) ?? 0) - (points.get(a.seat.id) ?? 0));
  const followUps = startFollowUps(run, ranked[0]?.text);
  try {
    await writeAnswer(run, material, { analysis, authors: ranked.map(({ seat }) => seat) });
    offerCandidates(run, members);
    const prompts = await followUps.prompts;
    if (prompts) run.emit({ type: 'followUps', prompts });
  } finally {
    followUps.cancel();
  }
}

/** Sends the participants' last words, with what each of them consumed, when they were asked for. */
export function offerCandidates(run: Run, members: readonly Authored[]): void {
  if (!run.request.includeCandidates) return;
  const list = members.map(({ seat, text }): Candidate => {
    const spent = run.books.totals(seat.id);
    return {
      modelId: seat.model.id,
      modelName: seat.model.name,
      response: text,
      promptTokens: spent.promptTokens,
      completionTokens: spent.completionTokens,
      executionTimeMs: spent.durationMs,
      costNanoUsd: spent.costNanoUsd,
    };
  });
  run.emit({ type: 'candidates', list });
}

function labelForArbiter(run: Run, members: readonly Member[]): ArbiterCandidate[] {
  const masked = members.map((member) => ({
    ...member,
    text: run.mask(member.text),
    ...(member.firstDraft !== undefined && { firstDraft: run.mask(member.firstDraft) }),
  }));
  return labelShuffled(masked, { requestId: run.id, reader: 'arbiter', step: 'final' });
}

function ballotLine(candidates: readonly ArbiterCandidate[], points: ReadonlyMap<string, number>): string {
  const scored = candidates.map(({ label, seat }) => ({ label, score: points.get(seat.id) ?? 0 }));
  scored.sort((a, b) => b.score - a.score);
  return scored.map(({ label, score }) => `${label} ${Number(score.toFixed(2))}`).join(', ');
}

/** The buffered comparison; undefined when it failed or could not be read, which the explanation then lacks. */
async function analyse(run: Run, material: ArbiterMaterial): Promise<Analysis | undefined> {
  const seat = run.request.panel.arbiter;
  run.emit({ type: 'status', text: `${seat.label} is comparing the answers` });
  const prompt = analysisPrompt(conversationOf(run), material);
  const question: Question = { callId: 'analysis', seat, prompt, purpose: 'analyse', round: 0 };
  const options = { budgetMs: run.deadline.analysisBudgetMs(), sampling: run.request.sampling };
  const first = await askOne(run, question, options);
  if (!first.ok) return undefined;
  const parsed = parseAnalysis(first.text);
  if (parsed || run.deadline.analysisBudgetMs() < REPAIR_SPARE_MS) return parsed;
  const repair = { ...question, callId: 'analysis.repair', prompt: repairPrompt(prompt, first.text) };
  const second = await askOne(run, repair, { ...options, budgetMs: run.deadline.analysisBudgetMs() });
  return second.ok ? parseAnalysis(second.text) : undefined;
}

interface Authorship {
  readonly analysis: Analysis | undefined;
  /** Surviving participants, best first: who may step in for the arbiter. */
  readonly authors: readonly Seat[];
}

/** The arbiter ladder, before the first piece of text only: the arbiter, else the best surviving participant. */
async function writeAnswer(run: Run, material: ArbiterMaterial, { analysis, authors }: Authorship): Promise<void> {
  const prompt = answerPrompt(conversationOf(run), material, analysis);
  const { arbiter } = run.request.panel;
  const tried: string[] = [];
  for (const seat of ladder(arbiter, authors)) {
    if (tried.length > 0) degrade(run, `${tried.join(', ')} failed to write the answer; ${seat.label} stepped in`);
    else run.emit({ type: 'status', text: `${seat.label} is writing the answer` });
    const callId = seat === arbiter ? 'answer' : `answer.${seat.id}`;
    const result = await askForAnswer(
      run,
      { callId, seat, prompt, purpose: 'answer', round: 0 },
      {
        budgetMs: run.deadline.remainingMs(),
        sampling: run.request.sampling,
      },
    );
    if (result.ok) return;
    tried.push(`${seat.label} (${faultWords(result.fault)})`);
    if (result.streamed)
      throw new Fault('models_failed', `The answer was cut off: ${tried.at(-1)}`, { cause: result.cause });
    if (run.signal.aborted || run.deadline.remainingMs() < ANSWER_RESERVE_MS / 12) break;
  }
  throw new Fault('models_failed', `No model could write the answer: ${tried.join(', ')}`);
}

function ladder(arbiter: Seat, authors: readonly Seat[]): Seat[] {
  const seats = [arbiter];
  for (const seat of authors) {
    if (seats.every((other) => other.model.id !== seat.model.id)) seats.push(seat);
  }
  return seats;
}
