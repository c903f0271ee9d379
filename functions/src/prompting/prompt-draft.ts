import { lazy } from '../lib/lazy';
import { Lru } from '../lib/lru';
import { estimateTokens, imageTokens, TOKENS_A_CHARACTER_MAX } from '../models/estimate-tokens';
import type { ImageAttachment } from '../models/images';
import { type ChatTurn, type ModelPrompt, textOfPieces, toolTextsOf } from '../models/model';
import type { ToolOffer, ToolResult } from '../models/tools';
import { fitTexts, historyThatFits, roomFor, tokensOfTurn } from './context-window';
import { asWritten, endOfMessage, type FenceMark, fenceNonce, fencePieces, TEXTS_OF_A_ROUND_MAX } from './fence';

/** Conversation that every prompt of a run is built on, with the mark of its fences. */
export interface Conversation extends FenceMark {
  readonly requestId: string;
  readonly history: readonly ChatTurn[];
  readonly message: string;
  readonly images?: readonly ImageAttachment[];
  /** Sender of the message, where several speak. */
  readonly name?: string;
  /** Places in the message up to which a prompt is to be kept in a cache (`ChatTurn`). */
  readonly cacheMarks?: readonly number[];
  /** Results of the tools called by the last turn of the history; the message, if any, was said beside them. */
  readonly toolResults?: readonly ToolResult[];
  /** Instructions for everybody, where participants are to follow them. */
  readonly sharedPrompt?: string;
}

/**
 * The conversation of one request, to be made once: what it learns of the texts shown is of use to the whole run. Its fences
 * are those of `fenced`, a part of it, where they are to stay as more is said.
 */
export function newConversation(
  request: Omit<Conversation, keyof FenceMark>,
  fenced: Pick<Conversation, 'requestId' | 'history' | 'message'> = request,
): Conversation {
  // Megabytes are looked through only where a prompt has a task.
  const nonce = lazy(() => fenceNonce(fenced.requestId, textsOf(fenced)));
  return {
    ...request,
    get nonce() {
      return nonce();
    },
    lookedThrough: new Lru(TEXTS_OF_A_ROUND_MAX),
  };
}

/** A text shown to a model as data, between fences. */
export interface FencedText {
  readonly title: string;
  readonly text: string;
  /** Helpful but not needed: left out first when the reader's window is too small. */
  readonly minor?: boolean;
  /** Seat or seats that wrote it; not shown to its reader. */
  readonly by?: string | readonly string[];
}

/** A piece of a task: words of ours, or a text shown as data. */
export type PromptBlock = string | FencedText;

/** A prompt before it is cut to its reader's window. Without a task the conversation stands alone. */
export interface PromptDraft {
  readonly system?: string | undefined;
  readonly conversation: Conversation;
  readonly task: readonly PromptBlock[];
  /** Turn of the history that the task stands in, in every request that has it; default: the last turn. */
  readonly below?: ChatTurn | undefined;
  readonly tools?: ToolOffer;
  readonly webSearch?: true;
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
export function renderPrompt(asked: PromptDraft, contextTokens: number | null): RenderedPrompt {
  const promptDraft = inWords(asked);
  const { history: all } = promptDraft.conversation;
  const [history, called] = calledApart(promptDraft.conversation);
  const fenced = promptDraft.task.filter(isFencedText);
  const room = roomBeside(promptDraft, contextTokens);
  if (room === Number.POSITIVE_INFINITY || tokensOf([...fenced, ...history]) <= room) {
    return { prompt: write(promptDraft, all, new Map(fenced.map((block) => [block, block.text]))), cut: false };
  }
  const needed = fenced.filter(({ minor }) => !minor);
  const kept = historyThatFits(history, Math.max(room - tokensOf(needed), room / 2));
  const whole = needed.map(({ text }) => text);
  const texts = fitTexts(whole, room - tokensOf(kept));
  const shown = new Map(needed.map((block, index) => [block, texts[index] ?? '']));
  return { prompt: write(promptDraft, [...kept, ...called], shown), cut: true };
}

/** Behind so many characters of fenced texts a message of so few tokens is said again: it may be out of sight by then. */
const MATERIAL_CHARACTERS_MIN = 8_000;
const SHORT_MESSAGE_TOKENS_MAX = 200;

/** The same prompt with all that its reader is told, but for the message itself. */
function inWords(promptDraft: PromptDraft): PromptDraft {
  const { conversation, task } = promptDraft;
  if (task.length === 0) return promptDraft;
  const words = task.map((block) => (isFencedText(block) ? block : asWritten(block, conversation)));
  const last = isMessageFar(promptDraft)
    ? [`The user's message again:\n\n${promptDraft.below?.text ?? conversation.message}`]
    : [];
  return { ...promptDraft, task: [endOfMessage(conversation), ...words, ...last] };
}

function isMessageFar({ conversation, task, below }: PromptDraft): boolean {
  const message = below?.text ?? conversation.message;
  const material = task.filter(isFencedText).reduce((sum, { text }) => sum + text.length, 0);
  const isGone = message.trim() === '' || (conversation.toolResults && !below);
  if (material < MATERIAL_CHARACTERS_MIN || isGone) return false;
  return estimateTokens(message) <= SHORT_MESSAGE_TOKENS_MAX;
}

/** A text of a model that stands in a prompt: whose, and what the fence calls it. */
export interface ShownText {
  readonly seat: string;
  readonly as: string;
}

/** Texts of models that a prompt shows, in order, without those left out when it was `cut`. */
export function shownTexts({ task }: PromptDraft, cut: boolean): ShownText[] {
  const shown = task.filter(isFencedText).filter((block) => !(cut && block.minor));
  return shown.flatMap(({ by = [], title }) => [by].flat().map((seat) => ({ seat, as: title })));
}

/** True if a window holds a prompt whatever its characters are: most are so short that none of them need be counted. */
function isFarFrom({ system = '', task, conversation, tools }: PromptDraft, contextTokens: number): boolean {
  const blocks = task.map((block) => (isFencedText(block) ? `${block.title}${block.title}${block.text}` : block));
  const texts = [system, ...textsOf(conversation), tools?.json ?? '', ...blocks];
  const characters = texts.reduce((sum, { length }) => sum + length, 0);
  const fences = task.length * FENCE_TOKENS;
  const images = [conversation, ...conversation.history].reduce((sum, turn) => sum + imageTokens(turn), 0);
  return TOKENS_A_CHARACTER_MAX * characters + fences + images <= roomFor(contextTokens);
}

/** Everything said in a conversation, by the user, the assistant and the tools. */
function textsOf(conversation: Pick<Conversation, 'history' | 'message' | 'toolResults'>): string[] {
  const turns = conversation.history.flatMap((turn) => [turn.text, ...toolTextsOf(turn)]);
  return [conversation.message, ...turns, ...toolTextsOf(conversation)];
}

/** The history that may be cut, and the call that the last turn is the result of. */
function calledApart({
  history,
  toolResults,
}: Conversation): [older: readonly ChatTurn[], called: readonly ChatTurn[]] {
  return toolResults ? [history.slice(0, -1), history.slice(-1)] : [history, []];
}

function write(
  { system, conversation, task, below, tools, webSearch }: PromptDraft,
  history: readonly ChatTurn[],
  shown: ReadonlyMap<FencedText, string>,
): ModelPrompt {
  const { message, images, name, toolResults, cacheMarks } = conversation;
  const pieces = task.flatMap((block) => {
    if (!isFencedText(block)) return ['\n\n', block];
    const text = shown.get(block);
    return text === undefined ? [] : ['\n\n', ...fencePieces(block.title, text, conversation)];
  });
  const withTask = (turn: ChatTurn): ChatTurn => (pieces.length === 0 ? turn : withPieces(turn, pieces));
  const shownWith = { ...(images && { images }), ...(name && { name }), ...(toolResults && { toolResults }) };
  const last: ChatTurn = { role: 'user', text: message, ...shownWith, ...(cacheMarks && { cacheMarks }) };
  const earlier = below ? history.map((turn) => (turn === below ? withTask(turn) : turn)) : history;
  const turns = [...earlier, below ? last : withTask(last)];
  const offers = { ...(tools && { tools }), ...(webSearch && { webSearch }) };
  return { ...(system !== undefined && { system }), turns, ...offers };
}

/** The same turn with more text, its marks where they were. */
function withPieces({ cacheMarks, ...turn }: ChatTurn, pieces: readonly string[]): ChatTurn {
  const whole = textOfPieces([turn.text, ...pieces]);
  const moved = cacheMarks?.map((behind) => behind + whole.text.length - turn.text.length);
  return { ...turn, ...whole, ...(moved && { cacheMarks: moved }) };
}

/** Words of the service in a prompt, without the number of its fences. */
export function wordsIn({ task }: PromptDraft): string[] {
  const unmarked = { nonce: '' };
  const words = task.flatMap((block) => (isFencedText(block) ? [] : [asWritten(block, unmarked)]));
  return words.length === 0 ? [] : [endOfMessage(unmarked), ...words];
}

function isFencedText(block: PromptBlock): block is FencedText {
  return typeof block !== 'string';
}

function tokensOf(texts: readonly Omit<ChatTurn, 'role'>[]): number {
  return texts.reduce((sum, text) => sum + tokensOfTurn(text), 0);
}

/** A fence around a text costs about this many tokens beside its title, which it says twice. */
const FENCE_TOKENS = 20;

/** The tokens a window holds beside what is never left out; for a short prompt nobody counts them. */
function roomBeside(promptDraft: PromptDraft, contextTokens: number | null): number {
  if (contextTokens === null || isFarFrom(promptDraft, contextTokens)) return Number.POSITIVE_INFINITY;
  const { system = '', conversation, task, tools } = promptDraft;
  const { message: text, images = [], toolResults = [] } = conversation;
  const words = task.reduce(
    (sum, block) =>
      sum + (isFencedText(block) ? FENCE_TOKENS + 2 * estimateTokens(block.title) : estimateTokens(block)),
    0,
  );
  const kept = tokensOf([...calledApart(conversation)[1], { text, images, toolResults }]);
  return roomFor(contextTokens) - (estimateTokens(system) + estimateTokens(tools?.json ?? '') + kept + words);
}
