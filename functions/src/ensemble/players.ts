import { Fault } from '../errors';
import { type Authored, type Labelled, labelShuffled } from './anonymise';
import { faultWords } from './ask';
import { askAll, type Reply } from './ask-all';
import { conversationOf } from './conversation';
import type { Seat } from './panel';
import { draftPrompt } from './prompts/draft';
import { type Question, question } from './question';
import type { EnsembleRequest, Run } from './run';

/** A participant in play, with its last word. One that fails keeps it; after two failures it is not called again. */
export interface Player extends Authored {
  readonly seat: Seat;
  text: string;
  /** Its first text, where a later one replaced it. */
  firstText?: string;
  failures: number;
}

const FAILURES_MAX = 2;

/** Those still worth asking. */
export function activePlayers<P extends Player>(players: readonly P[]): P[] {
  return players.filter(({ failures }) => failures < FAILURES_MAX);
}

/** Gives a player a new last word; an empty one leaves the old. */
export function replaceText(player: Player, text: string): void {
  if (text === '') return;
  player.firstText ??= player.text;
  player.text = text;
}

/** The players a wave of first texts leaves: those who answered. */
export function playersOf(replies: readonly Reply[]): Player[] {
  return replies.flatMap(({ question: { seat }, text }) => (text === undefined ? [] : [{ seat, text, failures: 0 }]));
}

/** Applies each reply to its player, or counts a failure; returns those that came with their players. */
export function settleReplies<Q extends Question & { readonly player: Player }>(
  replies: readonly Reply<Q>[],
): { readonly question: Q; readonly text: string }[] {
  return replies.flatMap(({ question: asked, text }) => {
    if (text !== undefined) return [{ question: asked, text }];
    asked.player.failures += 1;
    return [];
  });
}

/** A first, independent answer to the plain conversation. */
export function draftQuestion(request: EnsembleRequest, id: string, seat: Seat): Question {
  const asked = { callId: `r1.${seat.id}`, seat, purpose: 'draft', round: 1 } as const;
  return question(asked, draftPrompt(conversationOf({ id, request })));
}

/** Says that a first round begins and lets everybody draft; throws `models_failed` when nobody does. */
export async function draftAll(run: Run, questions: readonly Question[]): Promise<Player[]> {
  sayWhoAnswers(run, questions);
  const players = playersOf(await askAll(run, questions, { needed: true, patient: true }));
  if (players.length === 0) throw nobodyAnswered(run);
  return players;
}

/** Lets those answer who were not asked yet, when everybody who was has failed: one good answer is enough. */
export async function draftInstead(run: Run, seats: readonly Seat[]): Promise<Player[]> {
  const questions = seats.map((seat) => {
    const drafted = draftQuestion(run.request, run.id, seat);
    return { ...drafted, callId: `instead.${seat.id}` };
  });
  if (questions.length === 0) throw nobodyAnswered(run);
  return draftAll(run, questions);
}

/** `Round 1 of r: A, B are answering`; `team` says for whom, where that is not everybody. */
export function sayWhoAnswers(run: Run, questions: readonly Question[], team?: string): void {
  const names = questions.map(({ seat }) => seat.label).join(', ');
  const verb = questions.length > 1 ? 'are' : 'is';
  const step = `Round 1 of ${run.request.rounds}${team === undefined ? '' : `, ${team}`}`;
  run.emit({ type: 'status', text: `${step}: ${names} ${verb} answering` });
}

/** What a run ends with when no participant delivered: who failed, and how, without any upstream words. */
function nobodyAnswered(run: Run): Fault {
  const { participants, arbiter } = run.request.panel;
  const place = (modelId: string): number => participants.findIndex(({ model }) => model.id === modelId);
  const failures = run.failures
    .filter(({ seat }) => seat !== arbiter)
    .sort((a, b) => place(a.seat.model.id) - place(b.seat.model.id));
  const causes = failures.map(({ seat, fault }) => `${seat.model.id} (${faultWords(fault)})`);
  return new Fault('models_failed', `All participant models failed: ${[...new Set(causes)].join(', ')}`);
}

/** Texts as one reader gets them: model names masked, in an order of the reader's own, labelled A, B, … */
export function anonymous<T extends Authored>(run: Run, items: readonly T[], reader: Reader): (T & Labelled)[] {
  const masked = items.map((item) => ({ ...item, text: run.mask(item.text) }));
  return labelShuffled(masked, { requestId: run.id, ...reader });
}

/** How the labels of one reader's texts read for people. */
export function namesOf(labelled: readonly Labelled[]): Map<string, string> {
  return new Map(labelled.map(({ label, seat }) => [label, seat.label]));
}

/** Seats by the length of their last word: who writes the answer where nobody is ranked and the arbiter cannot. */
export function longestFirst(items: readonly Authored[]): Seat[] {
  return [...items].sort((a, b) => b.text.length - a.text.length).map(({ seat }) => seat);
}

/** Who reads, and in which step: no two share an order. */
export interface Reader {
  readonly reader: string;
  readonly step: string;
}
