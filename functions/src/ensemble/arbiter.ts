import { type Analysis, type AnalysisForm, analysisSchema, parseAnalysis } from './analysis';
import type { Authored } from './anonymise';
import { writeAnswer } from './answer';
import { askOne } from './ask';
import { conversationOf } from './conversation';
import { degrade } from './degrade';
import type { Candidate } from './events';
import { explain, type Section } from './explanation';
import { startFollowUps } from './follow-ups';
import type { Seat } from './panel';
import { analysisPrompt, answerPrompt, repairPrompt } from './prompts/arbiter';
import { question } from './question';
import type { Run } from './run';
import type { Block, PromptSheet } from './sheet';

/** A participant's last word as the client may see it. */
export interface Offer extends Authored {
  /** What the participant did in the strategy, where it had a role. */
  readonly note?: string;
}

/** What a strategy's waves leave to the arbiter. */
export interface Closing {
  /** Offered as candidates when asked for. */
  readonly offers: readonly Offer[];
  /** What the arbiter reads before its task: anonymous texts and what is to be known of them. */
  readonly material: readonly Block[];
  /** How labels in the analysis read for people. */
  readonly names: ReadonlyMap<string, string>;
  readonly form: AnalysisForm;
  /** How the final answer is to be made from the material. */
  readonly answerTask: readonly string[];
  /** For the explanation: what is known without the arbiter's analysis. */
  readonly known: readonly Section[];
  /** Who may step in for the arbiter, best first. */
  readonly authors: readonly Seat[];
  /** Set when the arbiter has judged already: what the answer is to follow, and what people are told. */
  readonly ruling?: Ruling;
}

/** A judgement made before the answer. */
export interface Ruling {
  readonly brief: readonly Block[];
  readonly sections: readonly Section[];
}

/** A repaired analysis is asked for only with this much time to spare. */
const REPAIR_SPARE_MS = 30_000;

/**
 * The end of every strategy: analysis (only when an explanation is wanted), the streamed answer, candidates,
 * explanation, follow-ups. Calls: 1 + v, plus 1 for follow-ups. Throws `models_failed` when nobody can write.
 */
export async function conclude(run: Run, closing: Closing): Promise<void> {
  const ruling = closing.ruling ?? (await analysisRuling(run, closing));
  const [best] = closing.authors;
  const followUps = startFollowUps(run, closing.offers.find(({ seat }) => seat === best)?.text);
  try {
    const sheet = answerPrompt(conversationOf(run), {
      system: run.request.systemPrompt,
      material: [...closing.material, ...ruling.brief],
      task: closing.answerTask,
    });
    await writeAnswer(run, sheet, closing.authors);
    offerCandidates(run, closing.offers);
    if (run.request.includeExplanation) sayWhy(run, [...ruling.sections, ...closing.known]);
    const prompts = await followUps.prompts;
    if (prompts) run.emit({ type: 'followUps', prompts });
  } finally {
    followUps.cancel();
  }
}

/** Sends the participants' last words, with what each of them consumed, when they were asked for. */
export function offerCandidates(run: Run, offers: readonly Offer[]): void {
  if (!run.request.includeCandidates || offers.length === 0) return;
  const list = inRequestOrder(run, offers).map(({ seat, text, note }): Candidate => {
    const spent = run.books.totals(seat.id);
    return {
      modelId: seat.model.id,
      modelName: seat.model.name,
      response: text,
      ...(note !== undefined && { note }),
      promptTokens: spent.promptTokens,
      completionTokens: spent.completionTokens,
      executionTimeMs: spent.durationMs,
      costNanoUsd: spent.costNanoUsd,
    };
  });
  run.emit({ type: 'candidates', list });
}

function inRequestOrder(run: Run, offers: readonly Offer[]): Offer[] {
  const ids = run.request.panel.participants.map(({ id }) => id);
  return [...offers].sort((a, b) => ids.indexOf(a.seat.id) - ids.indexOf(b.seat.id));
}

/** One reading of the material by the arbiter; undefined when it failed or said nothing that can be read. */
export async function analyse(run: Run, { callId, sheet, form, repair }: Reading): Promise<Analysis | undefined> {
  const { arbiter: seat } = run.request.panel;
  const asked = question({ callId, seat, purpose: 'analyse', round: 0 }, sheet);
  const options = { sampling: run.request.sampling, outputSchema: analysisSchema(form) };
  const first = await askOne(run, asked, { ...options, budgetMs: run.deadline.judgementMs() });
  if (!first.ok) return undefined;
  const parsed = parseAnalysis(first.text, form);
  if (parsed || !repair || run.deadline.judgementMs() < REPAIR_SPARE_MS) return parsed;
  const again = { ...asked, callId: `${callId}.repair`, prompt: repairPrompt(asked.prompt, first.text) };
  const second = await askOne(run, again, { ...options, budgetMs: run.deadline.judgementMs() });
  return second.ok ? parseAnalysis(second.text, form) : undefined;
}

/** What `analyse` is to do. */
export interface Reading {
  readonly callId: string;
  readonly sheet: PromptSheet;
  readonly form: AnalysisForm;
  /** Whether a reply that cannot be read is asked for once more. */
  readonly repair: boolean;
}

const NO_RULING: Ruling = { brief: [], sections: [] };

async function analysisRuling(run: Run, { material, form, names }: Closing): Promise<Ruling> {
  if (!run.request.includeExplanation) return NO_RULING;
  const { arbiter } = run.request.panel;
  run.emit({ type: 'status', text: `${arbiter.label} is comparing the answers` });
  const sheet = analysisPrompt(conversationOf(run), { system: run.request.systemPrompt, material, form });
  const analysis = await analyse(run, { callId: 'analysis', sheet, form, repair: true });
  if (!analysis) {
    degrade(run, `No comparison of the answers: ${arbiter.label} gave none that could be read`);
    return NO_RULING;
  }
  return {
    brief: ['Your own analysis of them:', { title: 'analysis', text: JSON.stringify(analysis) }],
    sections: explain(analysis, form, names),
  };
}

/** The explanation, last of all: it also tells what went wrong on the way to the answer. */
function sayWhy(run: Run, sections: readonly Section[]): void {
  if (sections.length === 0) return;
  const all = [...sections, { title: 'This run', lines: run.notes }];
  const text = all
    .map(sectionText)
    .filter((part) => part !== '')
    .join('\n\n');
  if (text !== '') run.emit({ type: 'explanation', text });
}

function sectionText({ title, lines }: Section): string {
  if (lines.length === 0) return '';
  if (title === undefined) return lines.join('\n\n');
  return `${title}:\n${lines.map(bulletPoint).join('\n')}`;
}

/** Further lines are indented: what somebody wrote cannot start a part of its own. */
function bulletPoint(text: string): string {
  const lines = text.split(/[\n-\r\u0085\u2028\u2029]/).map((line) => line.trim());
  return `- ${lines.filter((line) => line !== '').join('\n  ')}`;
}
