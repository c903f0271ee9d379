import type { Labelled } from '../../prompting/blind-labels';
import type { PromptBlock } from '../../prompting/prompt-draft';
import type { ToldAnalysis } from '../../runs/trace-event';
import type { Agreement } from '../agreement/agreement';
import { candidateCheckWords } from '../checks/answer-checks';
import { type Authored, longestFirst, namesOf, wholeFirst } from '../panel/contributors';
import type { Seat } from '../panel/panel';
import { type Ending, noteDegraded, type Opening, type Run } from '../run';
import { callModel } from '../waves/call-model';
import { type Question, question, repairQuestion, textsSeen } from '../waves/question';
import { type Analysis, type AnalysisForm, analysisSchema, parseAnalysis } from './analysis';
import { candidatesOf, inRequestOrder, withFollowUps } from './ending';
import { explain, explanationText, type Section } from './explanation';
import { analysisPrompt, answerPrompt, repairPrompt } from './prompts';
import { toldAnalysis } from './told-analysis';
import { writeAnswer } from './write-answer';

/** Result of a strategy's waves, handed to the arbiter. */
export interface Conclusion {
  /** The participants' last texts: candidates, when they are asked for. */
  readonly candidates: readonly Authored[];
  /** Anonymous texts and notes on them, which the arbiter reads before its task. */
  readonly material: readonly PromptBlock[];
  readonly form: AnalysisForm;
  /** Instructions for making the answer from the material. */
  readonly answerTask: readonly string[];
  /** The candidates under the labels of the analysis. */
  readonly labelled?: readonly (Labelled & Authored)[];
  /** For the explanation: what is known without the arbiter's analysis. */
  readonly known?: readonly Section[];
  /** Seats that may step in for the arbiter, best first. Default: the authors of the candidates, the longest text first. */
  readonly authors?: readonly Seat[];
  /** Set when the arbiter has judged already. */
  readonly ruling?: Ruling | undefined;
  /** The seat of the participant found best, where one was before the arbiter's analysis. */
  readonly winner?: string;
  /** True if the texts are parts of one answer. */
  readonly areParts?: boolean;
  /** Agreement of the participants, where it can be measured. */
  readonly agreement?: Agreement | undefined;
}

/** A judgement made before the answer: what the answer is to follow, and what people are told. */
export interface Ruling {
  readonly brief: readonly PromptBlock[];
  readonly sections: readonly Section[];
  /** The same for programs, where the arbiter has analysed. */
  readonly analysis?: ToldAnalysis | undefined;
  /** The seat that the arbiter's analysis finds best. */
  readonly best?: string;
}

/** A repaired analysis is asked for only with this much time to spare. */
const REPAIR_SPARE_MS = 30_000;

/** Ends every strategy with an analysis where one is wanted, and the answer; throws `models_failed` where none can write. */
export async function conclude(run: Run, conclusion: Conclusion): Promise<Ending> {
  const { candidates, answerTask: task, known = [] } = conclusion;
  const authors = wholeFirst(conclusion.authors ?? longestFirst(candidates), candidates);
  const material = [...conclusion.material, ...(await checkWords(run, conclusion))];
  const { brief, sections, best, analysis } =
    conclusion.ruling ?? (await analysisRuling(run, { ...conclusion, material }));
  const winner = best ?? conclusion.winner;
  const shown = candidates.find(({ seat }) => seat === authors[0]);
  return withFollowUps(run, shown, async () => {
    const promptDraft = answerPrompt(run, { material: [...material, ...brief], task });
    const { text: answer, asked, checks } = await writeAnswer(run, promptDraft, authors);
    const explanation = await explanationText(run, [...sections, ...known]);
    const { agreement } = conclusion;
    const explained = {
      explanation: explanation || undefined,
      analysis: run.request.includeExplanation ? analysis : undefined,
      candidateSeats: inRequestOrder(run, candidates).map(({ seat }) => seat.id),
    };
    const about = { ...explained, agreement, checks, author: asked.seat.id, winner };
    return { ...candidatesOf(run, candidates, answer), ...about };
  });
}

/** Results of the texts in the caller's checks; parts of an answer are not held to what the whole must satisfy. */
async function checkWords({ request, scope }: Run, conclusion: Conclusion): Promise<PromptBlock[]> {
  const { candidates, material, areParts } = conclusion;
  if (!request.checks || areParts) return [];
  const texts = new Map(candidates.map(({ seat, text }) => [seat.id, text]));
  return candidateCheckWords(request.checks, { material, texts, inTurn: scope.inTurn });
}

/** One reading of the material by the arbiter. */
export interface AnalysisTask {
  readonly callId: string;
  readonly material: readonly PromptBlock[];
  readonly form: AnalysisForm;
  /** True if a reply that cannot be read is asked for once more. */
  readonly repair: boolean;
}

/** Question to the arbiter about the material. */
export function readingQuestion(opening: Opening, { callId, material, form }: AnalysisTask): Question {
  const { arbiter: seat } = opening.request.panel;
  const outputSchema = analysisSchema(form);
  const asked = { callId, seat, purpose: 'analyse', round: 0, outputSchema } as const;
  return question(asked, analysisPrompt(opening, { material, form }));
}

/** Lets the arbiter read the material; undefined when it failed or said nothing that can be read. */
export async function analyse(
  run: Run,
  asked: Question,
  { callId, form, repair }: AnalysisTask,
): Promise<Analysis | undefined> {
  const ask = (each: Question) => callModel(run, each, { budgetMs: run.deadline.judgementMs() });
  const first = await ask(asked);
  if (!first.ok) return undefined;
  const analysis = parseAnalysis(first.text, form);
  if (analysis || !repair || run.deadline.judgementMs() < REPAIR_SPARE_MS) return ranked(run, asked, analysis);
  const prompt = repairPrompt(asked.prompt, first.text);
  const again = repairQuestion(asked, { callId: `${callId}.repair`, prompt });
  const second = await ask(again);
  return ranked(run, again, second.ok ? parseAnalysis(second.text, form) : undefined);
}

/** The same analysis; its order is reported where every label in it is that of a seat. */
function ranked({ observer }: Run, asked: Question, analysis: Analysis | undefined): Analysis | undefined {
  if (!observer || !analysis) return analysis;
  const seats = analysis.order.flatMap((label) => seatLabelled(asked, label) ?? []);
  if (seats.length > 0 && seats.length === analysis.order.length) observer.ranked(asked.callId, seats);
  return analysis;
}

/** The seat whose text a question shows under this label. */
function seatLabelled(asked: Question, label: string | null): string | undefined {
  return textsSeen(asked).find(({ as }) => as === label)?.seat;
}

const NO_RULING: Ruling = { brief: [], sections: [] };

async function analysisRuling(
  run: Run,
  { material, form, labelled = [], candidates: texts }: Conclusion,
): Promise<Ruling> {
  if (!run.request.includeExplanation) return NO_RULING;
  const { arbiter } = run.request.panel;
  const task = { callId: 'analysis', material, form, repair: true };
  const asked = readingQuestion(run, task);
  const flaw = run.budget.admit([asked]);
  if (flaw !== undefined) {
    noteDegraded(run, `No comparison of the answers: ${flaw}`);
    return NO_RULING;
  }
  run.sink.status(`${arbiter.label} is comparing the answers`);
  const analysis = await analyse(run, asked, task);
  if (!analysis) {
    noteDegraded(run, `No comparison of the answers: ${arbiter.label} gave none that could be read`);
    return NO_RULING;
  }
  const best = seatLabelled(asked, analysis.winner);
  const { items: _, ...shown } = analysis;
  const names = namesOf(labelled);
  const seats = inRequestOrder(run, texts).map(({ seat }) => seat);
  const candidates = new Map(labelled.map(({ label, seat }) => [label, seats.indexOf(seat)]));
  return {
    brief: ['Your own analysis of them:', { title: 'analysis', text: JSON.stringify(shown), by: arbiter.id }],
    sections: explain(analysis, form, names),
    analysis: toldAnalysis(analysis, form, { names, candidates }),
    ...(best !== undefined && { best }),
  };
}
