/*
 * The model port: what is asked of a model, and what comes back. `models/` also knows the models: their rows, prices
 * and what a deployment offers; `gateway/` calls them. It imports `telemetry/` and `lib/`, and never names a provider's
 * SDK: the adapters in `providers/` translate.
 */
import type { InTurn } from '../lib/turns';
import type { ImageAttachment } from './images';
import type { Reasoning } from './reasoning';
import type { ToolCall, ToolCallPiece, ToolOffer, ToolResult } from './tools';
import type { WebReport } from './web-search';

/** One turn of a conversation; only the user's have images. */
export interface ChatTurn {
  readonly role: 'user' | 'assistant';
  readonly text: string;
  /** Pieces that a long text was put together from. Other prompts share these, and `text` need not be read. */
  readonly pieces?: readonly string[];
  readonly images?: readonly ImageAttachment[];
  /** Name of the speaker, where several speak: one that OpenAI's protocol takes. */
  readonly name?: string;
  /** The assistant's: what it thought before. */
  readonly reasoning?: Reasoning;
  /** The assistant's: the tools it has called. The next turn has a result for each. */
  readonly toolCalls?: readonly ToolCall[];
  /** The user's, before its text: what the tools of the turn before returned. */
  readonly toolResults?: readonly ToolResult[];
  /**
   * Places up to which its prompt will be read again, in order, each as the number of characters of its text that stand
   * behind it: 0 is the end of the turn. Protocols that must be told what to keep in a cache are told.
   */
  readonly cacheMarks?: readonly number[];
}

/** A text of this many characters is not copied for each prompt that holds it. */
export const LONG_TEXT_CHARACTERS = 16 * 1024;

/** A text put together from pieces, which it shares when it is long. */
export function textOfPieces(pieces: readonly string[]): Pick<ChatTurn, 'text' | 'pieces'> {
  const length = pieces.reduce((sum, piece) => sum + piece.length, 0);
  if (length < LONG_TEXT_CHARACTERS) return { text: pieces.join('') };
  // Added up, the text refers to its pieces until it is read; joined, it would be a copy of them.
  return { text: pieces.reduce((text, piece) => text + piece), pieces };
}

/** Pieces of the text of a turn; the text itself where they are unknown. */
export function piecesOf({ text, pieces = [text] }: Pick<ChatTurn, 'text' | 'pieces'>): readonly string[] {
  return pieces;
}

/** Everything a model is shown. */
export interface ModelPrompt {
  readonly system?: string;
  /** At least one turn; the last one is from the user. Consecutive turns of one role are allowed. */
  readonly turns: readonly ChatTurn[];
  /** Tools that it may call. */
  readonly tools?: ToolOffer;
  /** It may search the web, by its provider's own means. */
  readonly webSearch?: true;
}

/** Sampling settings; absent means the provider's default. */
export interface Sampling {
  readonly temperature?: number;
  readonly topP?: number;
}

/** Amount of thinking before a model writes, for those that let the caller say so: OpenAI's words, the least first. */
export const REASONING_EFFORTS = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'] as const;
export type ReasoningEffort = (typeof REASONING_EFFORTS)[number];

/** Why a call is made: told in the ledger and the log, and what the demo models reply to. */
export type CallPurpose =
  | 'cast'
  | 'plan'
  | 'advise'
  | 'draft'
  | 'revise'
  | 'review'
  | 'attack'
  | 'analyse'
  | 'answer'
  | 'follow_ups'
  | 'judge';

/** Calls for a participant's own text. */
export const WRITING: ReadonlySet<CallPurpose> = new Set(['draft', 'revise']);
/** Calls for a text as long as an answer. */
export const FULL_LENGTH: ReadonlySet<CallPurpose> = new Set(['draft', 'revise', 'answer']);

/** The JSON a reply must be, for protocols that can enforce one. */
export interface OutputSchema {
  /** Letters, digits, `_` and `-`, at most 64. */
  readonly name: string;
  /** JSON Schema of an object; absent where any object will do. */
  readonly schema?: { readonly [keyword: string]: unknown };
  /**
   * False where the schema is not one that all protocols enforce (an object at its root, every property required, none
   * beside them), or is not to be enforced: a protocol is told what it takes of it. Default: true.
   */
  readonly strict?: boolean;
}

/** An object with these properties and no others, as every protocol that enforces schemas takes it. */
export function strictObject(properties: Readonly<Record<string, object>>) {
  return { type: 'object', properties, required: Object.keys(properties), additionalProperties: false };
}

/** Token counts of one call, gross: prompt tokens of a cache are part of the prompt, reasoning of the completion. */
export interface TokenUsage {
  readonly promptTokens: number;
  readonly completionTokens: number;
  readonly cachedPromptTokens: number;
  /** Absent where the provider reported none; most write to their caches for nothing. */
  readonly cacheWritePromptTokens?: number;
  readonly reasoningTokens: number;
  /** Searches of the web, as the provider bills them. Absent where there were none. */
  readonly webSearches?: number;
  /** True when the provider reported nothing and the counts are our estimate. */
  readonly estimated: boolean;
}

/** Usage as a provider reports it; each report is cumulative for the call, so the last one counts. */
export type ReportedUsage = Partial<Omit<TokenUsage, 'estimated' | 'webSearches'>>;

/** Ending of a reply. `stop`: whole, or a call of tools. All others are cut off, or, for `unknown`, not known to be whole. */
export type FinishReason = 'stop' | 'length' | 'context_window' | 'content_filter' | 'failed' | 'unknown';

/** A question to a model, as the gateway and the adapters have it. */
export interface ModelQuestion {
  readonly prompt: ModelPrompt;
  readonly purpose: CallPurpose;
  /** Absent: as much as the model likes. Not sent to a model that does not take it. */
  readonly reasoningEffort?: ReasoningEffort | undefined;
  /** The caller's own limit, hidden tokens included: every protocol is told. */
  readonly outputTokensMax?: number | undefined;
  /** The reply is to be this JSON. Not every model can be held to it: the prompt must say it too. */
  readonly outputSchema?: OutputSchema | undefined;
  /** The caller's key of a provider's prompt cache, for protocols that have one. */
  readonly promptCacheKey?: string | undefined;
  /** Parts that its server has refused: left out, or sent in another form. */
  readonly without?: readonly RequestPart[] | undefined;
  readonly signal: AbortSignal;
}

/** Task of an adapter: one attempt at one model, under the provider's own name for it. */
export interface ProviderCall extends ModelQuestion {
  readonly providerModel: string;
  /** User it is made for: where a cache can be parted by a key, one user's prompts are not found by another's. */
  readonly userId?: string;
  readonly sampling: Sampling;
  /** The model's own output limit, for protocols that demand a number; never an invented smaller cap. */
  readonly maxOutputTokens?: number | undefined;
  /** The reply may begin within a thought, without the mark that opens it. */
  readonly thoughtsUnopened?: boolean | undefined;
  /** Does what is heavy about it, such as encoding a long text. Default: at once. */
  readonly inTurn?: InTurn;
}

/** A part that a server may refuse by name, and a request can do without or have in another form. */
export type RequestPart =
  | 'thoughtsBesideTools'
  | 'reasoningEffort'
  | 'streamOptions'
  | 'limitName'
  | 'parallelToolCalls'
  | 'cacheMarks'
  | 'promptCacheKey'
  | 'topP'
  | 'temperature'
  | 'reasoning'
  | 'names'
  | 'turnsInARow';

/** Receives one call's events synchronously, in order. */
export interface CallListener {
  /** A piece of answer text. A returned promise asks the adapter to stop reading until it resolves. */
  text(delta: string): Promise<void> | undefined;
  /** A piece of a tool call. Of a model that was offered no tools it says only that the model lives. */
  toolCall(piece: ToolCallPiece): Promise<void> | undefined;
  /** So many characters have come of something that is not whole yet, such as a line without its end. */
  pending(characters: number): void;
  /** Cumulative usage so far. */
  usage(report: ReportedUsage): void;
  /** Pages it found on the web, and its searches so far: a sign of life. */
  web(report: WebReport): void;
  /**
   * The model lives, though there is no text: it has begun, or `thinks`. Not for what only says that the connection lives
   * (comments, pings, chunks without anything in them).
   */
  alive(sign?: 'thinks'): void;
  /** A piece of what it thinks aloud, which is a sign of life as well. A returned promise asks the adapter to wait. */
  thought(piece: Reasoning): Promise<void> | undefined;
}

/** One provider protocol. `run` throws a `ModelFault` for every failure; usage and text reported before stay valid. */
export interface ModelProvider {
  /** True if no reply can be anything else than this JSON, unless it is cut off. Absent: none is held to any. */
  holds?(outputSchema: OutputSchema): boolean;
  run(call: ProviderCall, listener: CallListener): Promise<FinishReason>;
}

/** The texts of the tool calls and results of a turn, and of the thoughts that led to them. */
export function toolTextsOf({ toolCalls = [], toolResults = [], reasoning }: Partial<ChatTurn>): string[] {
  const calls = toolCalls.flatMap(({ name, arguments: text }) => [name, text]);
  return [...calls, ...toolResults.map(({ text }) => text), ...(reasoning ? [JSON.stringify(reasoning)] : [])];
}

/** Longer ones are nobody's name: of them the beginning is told. */
const CHARACTERS_MAX = 256;
/** Names that OpenAI's protocol has a field for. */
const IN_A_FIELD = /^[^\s<|\\/>]{1,64}$/;

/** A text and its speaker, as a client names one: in a field, or in the text where no protocol takes the name. */
export function spokenBy(speaker: unknown, text: string, { inField = true } = {}): Pick<ChatTurn, 'text' | 'name'> {
  const name = typeof speaker === 'string' ? speaker.slice(0, CHARACTERS_MAX).trim().replaceAll(/\s+/g, ' ') : '';
  if (name === '') return { text };
  if (inField && IN_A_FIELD.test(name)) return { text, name };
  return { text: text.trim() === '' ? text : `${name}: ${text}` };
}

/** The same turn, which tells in its text who speaks, unless it says nothing. */
export function nameInText({ name, ...turn }: ChatTurn): ChatTurn {
  if (name === undefined || turn.text.trim() === '') return turn;
  return { ...turn, ...textOfPieces([`${name}: `, ...piecesOf(turn)]) };
}
