import { type ChatTurn, IMAGE_TOKENS, type ImageAttachment, type ModelPrompt } from '../models/model';
import { CHARACTERS_PER_TOKEN, fitTexts, historyThatFits, roomFor } from './context-budget';
import { type FenceMark, fence } from './fence';

/** The conversation every prompt is built on, with the mark of its fences. */
export interface Conversation extends FenceMark {
  readonly history: readonly ChatTurn[];
  readonly prompt: string;
  /** Shown with the prompt. */
  readonly images?: readonly ImageAttachment[];
}

/** A text shown to a model as data, between fences. */
export interface Exhibit {
  /** What the fence calls it, e.g. a label. */
  readonly title: string;
  readonly text: string;
  /** Helpful but not needed: left out first when the reader's window is too small. */
  readonly minor?: boolean;
}

/** A piece of a task: words of ours, or a text shown as data. */
export type Block = string | Exhibit;

/** A prompt before it is cut to its reader's window. Without a task the conversation stands alone. */
export interface PromptSheet {
  readonly system?: string;
  readonly conversation: Conversation;
  readonly task: readonly Block[];
}

/** A prompt as its reader gets it, and whether something had to be left out. */
export interface RenderedPrompt {
  readonly prompt: ModelPrompt;
  readonly cut: boolean;
}

/**
 * Writes a sheet for a reader with a window of `contextTokens`; null = unknown, nothing is cut. What does not fit
 * goes in this order: minor exhibits, the oldest history, then the middle of every long exhibit; never the prompt
 * (reference: ensemble §3.6). Every cut is marked where it was made.
 */
export function renderSheet(sheet: PromptSheet, contextTokens: number | null): RenderedPrompt {
  const { history } = sheet.conversation;
  const exhibits = sheet.task.filter(isExhibit);
  if (contextTokens === null || fitsWindow(sheet, contextTokens)) {
    return { prompt: write(sheet, history, textsOf(exhibits)), cut: false };
  }
  const room = roomBeside(sheet, contextTokens);
  const needed = exhibits.filter(({ minor }) => minor !== true);
  const kept = historyThatFits(history, Math.max(room - charactersOf(needed), room / 2));
  const texts = fitTexts(
    needed.map(({ text }) => text),
    room - historyCharacters(kept),
  );
  const shown = new Map(needed.map((exhibit, index) => [exhibit, texts[index] ?? '']));
  return { prompt: write(sheet, kept, shown), cut: true };
}

/** Whether a sheet reaches its reader whole. */
export function fitsWindow(sheet: PromptSheet, contextTokens: number | null): boolean {
  if (contextTokens === null) return true;
  const characters = charactersOf(sheet.task.filter(isExhibit)) + historyCharacters(sheet.conversation.history);
  return characters <= roomBeside(sheet, contextTokens);
}

/** The characters a window holds beside what is never left out. */
function roomBeside(sheet: PromptSheet, contextTokens: number): number {
  return roomFor(contextTokens) - fixedCharacters(sheet);
}

function write(
  { system, conversation, task }: PromptSheet,
  history: readonly ChatTurn[],
  shown: ReadonlyMap<Exhibit, string>,
): ModelPrompt {
  const { prompt, images } = conversation;
  const pieces = task.flatMap((block) => {
    if (!isExhibit(block)) return [block];
    const text = shown.get(block);
    return text === undefined ? [] : [fence(block.title, text, conversation)];
  });
  const text = pieces.length === 0 ? prompt : [prompt, '---', ...pieces].join('\n\n');
  const turn: ChatTurn = { role: 'user', text, ...(images && { images }) };
  return { ...(system !== undefined && { system }), turns: [...history, turn] };
}

function isExhibit(block: Block): block is Exhibit {
  return typeof block !== 'string';
}

function textsOf(exhibits: readonly Exhibit[]): ReadonlyMap<Exhibit, string> {
  return new Map(exhibits.map((exhibit) => [exhibit, exhibit.text]));
}

function charactersOf(exhibits: readonly Exhibit[]): number {
  return exhibits.reduce((sum, { text }) => sum + text.length, 0);
}

function historyCharacters(history: readonly ChatTurn[]): number {
  return history.reduce((sum, { text }) => sum + text.length, 0);
}

/** A fence around a text costs about this many characters beside its title. */
const FENCE_CHARACTERS = 52;

function fixedCharacters({ system, conversation, task }: PromptSheet): number {
  const words = task.reduce(
    (sum, block) => sum + (isExhibit(block) ? FENCE_CHARACTERS + 2 * block.title.length : block.length + 2),
    0,
  );
  const images = (conversation.images?.length ?? 0) * IMAGE_TOKENS * CHARACTERS_PER_TOKEN;
  return (system?.length ?? 0) + conversation.prompt.length + images + words;
}
