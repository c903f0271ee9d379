import { Lru } from '../lib/lru';
import { estimateTokens, IMAGE_TOKENS, TOKENS_A_CHARACTER_MAX } from '../models/estimate-tokens';
import { type ChatTurn, type ImageAttachment, type ModelPrompt, textOfPieces } from '../models/model';
import { fitTexts, historyThatFits, roomFor, tokensOfTurn } from './context-window';
import {
  DATA_RULE,
  dataRule,
  endOfMessage,
  type FenceMark,
  fenceNonce,
  fencePieces,
  TEXTS_OF_A_ROUND_MAX,
} from './fence';

/** What the user has said: every prompt of a run is built on it, with the mark of its fences. */
export interface Conversation extends FenceMark {
  /** Earlier turns, oldest first. */
  readonly history: readonly ChatTurn[];
  /** What the user has sent last. */
  readonly message: string;
  /** Shown with the message. */
  readonly images?: readonly ImageAttachment[];
  /** Instructions for everybody, where participants are to follow them. */
  readonly sharedPrompt?: string;
}

/** The conversation of one request, to be made once: what it learns of the texts shown is of use to the whole run. */
export function newConversation(
  requestId: string,
  { history, message, images, sharedPrompt }: Omit<Conversation, keyof FenceMark>,
): Conversation {
  return {
    history,
    message,
    nonce: fenceNonce(requestId),
    lookedThrough: new Lru(TEXTS_OF_A_ROUND_MAX),
    ...(images && { images }),
    ...(sharedPrompt !== undefined && { sharedPrompt }),
  };
}

/** A text shown to a model as data, between fences. */
export interface FencedText {
  /** What the fence calls it, e.g. a label. */
  readonly title: string;
  readonly text: string;
  /** Helpful but not needed: left out first when the reader's window is too small. */
  readonly minor?: boolean;
}

/** A piece of a task: words of ours, or a text shown as data. */
export type PromptBlock = string | FencedText;

/** A prompt before it is cut to its reader's window. Without a task the conversation stands alone. */
export interface PromptDraft {
  readonly system?: string | undefined;
  readonly conversation: Conversation;
  readonly task: readonly PromptBlock[];
}

/** A prompt as its reader gets it, and whether something had to be left out. */
export interface RenderedPrompt {
  readonly prompt: ModelPrompt;
  readonly cut: boolean;
}

/**
 * Writes a prompt for a reader with a window of `contextTokens`; null = unknown, nothing is cut. What does not fit goes
 * in this order: minor texts, the oldest history, then the middle of every long text; never the message. Every cut is
 * marked where it was made.
 */
export function renderPrompt(promptDraft: PromptDraft, contextTokens: number | null): RenderedPrompt {
  const { history } = promptDraft.conversation;
  const fenced = promptDraft.task.filter(isFencedText);
  if (contextTokens === null || fitsWindow(promptDraft, contextTokens)) {
    return { prompt: write(promptDraft, history, new Map(fenced.map((block) => [block, block.text]))), cut: false };
  }
  const room = roomBeside(promptDraft, contextTokens);
  const needed = fenced.filter(({ minor }) => minor !== true);
  const kept = historyThatFits(history, Math.max(room - tokensOf(needed), room / 2));
  const texts = fitTexts(
    needed.map(({ text }) => text),
    room - tokensOf(kept),
  );
  const shown = new Map(needed.map((block, index) => [block, texts[index] ?? '']));
  return { prompt: write(promptDraft, kept, shown), cut: true };
}

/** Whether a prompt reaches its reader whole. */
export function fitsWindow(promptDraft: PromptDraft, contextTokens: number | null): boolean {
  if (contextTokens === null) return true;
  if (isFarFrom(promptDraft, contextTokens)) return true;
  const { task, conversation } = promptDraft;
  return tokensOf([...task.filter(isFencedText), ...conversation.history]) <= roomBeside(promptDraft, contextTokens);
}

/** Whether a window holds a prompt whatever its characters are: most are so short that none of them need be counted. */
function isFarFrom({ system = '', task, conversation }: PromptDraft, contextTokens: number): boolean {
  const { history, message } = conversation;
  const blocks = task.map((block) => (isFencedText(block) ? `${block.title}${block.title}${block.text}` : block));
  const texts = [system, message, ...history.map(({ text }) => text), ...blocks];
  const characters = texts.reduce((sum, { length }) => sum + length, 0);
  const fences = (task.length + 1) * FENCE_TOKENS;
  return TOKENS_A_CHARACTER_MAX * characters + fences + imagesIn(conversation) * IMAGE_TOKENS <= roomFor(contextTokens);
}

/** Writes a prompt with this much of its history and these of its fenced texts. */
function write(
  { system, conversation, task }: PromptDraft,
  history: readonly ChatTurn[],
  shown: ReadonlyMap<FencedText, string>,
): ModelPrompt {
  const { message, images } = conversation;
  const pieces = task.flatMap((block) => {
    if (!isFencedText(block)) return ['\n\n', block.replace(DATA_RULE, () => dataRule(conversation))];
    const text = shown.get(block);
    return text === undefined ? [] : ['\n\n', ...fencePieces(block.title, text, conversation)];
  });
  const text =
    pieces.length === 0 ? { text: message } : textOfPieces([message, '\n\n', endOfMessage(conversation), ...pieces]);
  const turn: ChatTurn = { role: 'user', ...text, ...(images && { images }) };
  return { ...(system !== undefined && { system }), turns: [...history, turn] };
}

function isFencedText(block: PromptBlock): block is FencedText {
  return typeof block !== 'string';
}

function tokensOf(texts: readonly Pick<ChatTurn, 'text' | 'images'>[]): number {
  return texts.reduce((sum, text) => sum + tokensOfTurn(text), 0);
}

/** With its history. */
function imagesIn({ history, images = [] }: Conversation): number {
  return history.reduce((sum, turn) => sum + (turn.images?.length ?? 0), images.length);
}

/** A fence around a text costs about this many tokens beside its title, which it says twice. */
const FENCE_TOKENS = 40;

/** The tokens a window holds beside what is never left out. */
function roomBeside({ system = '', conversation, task }: PromptDraft, contextTokens: number): number {
  const words = task.reduce(
    (sum, block) =>
      sum + (isFencedText(block) ? FENCE_TOKENS + 2 * estimateTokens(block.title) : estimateTokens(block)),
    task.length === 0 ? 0 : estimateTokens(endOfMessage(conversation)),
  );
  const images = (conversation.images?.length ?? 0) * IMAGE_TOKENS;
  return roomFor(contextTokens) - (estimateTokens(system) + estimateTokens(conversation.message) + images + words);
}
