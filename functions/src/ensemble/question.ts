import { type CallPurpose, estimatePromptTokens, type ModelPrompt } from '../models/model';
import type { PlannedCall } from '../usage/books';
import type { Seat } from './panel';
import { type PromptSheet, renderSheet } from './sheet';

/** What a call is for, and who makes it. */
export interface Asked {
  /** Unique in the run, e.g. `r2.p1`. */
  readonly callId: string;
  readonly seat: Seat;
  readonly purpose: CallPurpose;
  /** 1-based; 0 for the arbiter's calls. */
  readonly round: number;
}

/** One call to be made: who is asked what, and why. */
export interface Question extends Asked {
  readonly sheet: PromptSheet;
  /** The sheet, written for the seat's window. */
  readonly prompt: ModelPrompt;
  /** Whether something had to be left out for that window. */
  readonly cut: boolean;
}

/** Writes a question for the window of the model that will read it. */
export function question<T extends Asked>(asked: T, sheet: PromptSheet): T & Question {
  return { ...asked, sheet, ...renderSheet(sheet, asked.seat.model.contextTokens) };
}

/** The same question for half the window its model seems to have; it refused the longer one. */
export function shorterQuestion(refused: Question): Question {
  const { callId, seat, purpose, round, sheet, prompt } = refused;
  const shorter = renderSheet(sheet, Math.floor(estimatePromptTokens(prompt) / 2));
  return { callId: `${callId}.shorter`, seat, purpose, round, sheet, ...shorter };
}

/** A question as the books list it. */
export function plannedCall({ callId, seat, prompt, purpose, round }: Question): PlannedCall {
  const promptTokens = estimatePromptTokens(prompt);
  return { callId, model: seat.model, seat: seat.id, purpose, round, promptTokens };
}
