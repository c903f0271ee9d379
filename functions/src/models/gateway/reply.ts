import { tokensIn } from '../estimate-tokens';
import type { CallListener, FinishReason, ReportedUsage } from '../model';
import type { ModelFaultKind } from '../model-fault';
import type { Reasoning } from '../reasoning';
import type { ToolCallPiece } from '../tools';
import type { WebReport } from '../web-search';
import { type CallMeter, type CallResult, failedCall, type GatewayCall } from './gateway-call';
import { ReplySources, ReplyText, ReplyToolCalls } from './reply-parts';
import type { CallOutput } from './run-output';
import type { Watchdog } from './watchdog';

/** Parts of an attempt that its reply drives. */
interface AttemptParts {
  readonly meter: CallMeter;
  readonly output: CallOutput;
  readonly watchdog: Watchdog;
  readonly onText: GatewayCall['onText'];
}

/** Faults of replies without a text, by their endings. */
const SILENT_ENDS: Partial<Readonly<Record<FinishReason, ModelFaultKind>>> = {
  length: 'output_limit_used_up',
  content_filter: 'content_filter',
  context_window: 'context_length',
};

/** Reply of a model as it comes: collected, metered and passed on until its watchdog ends. */
export class Reply implements CallListener {
  /** True once any of it was passed on. */
  hasStreamed = false;
  readonly #call: GatewayCall;
  readonly #parts: AttemptParts;
  readonly #text = new ReplyText();
  readonly #toolCalls = new ReplyToolCalls();
  readonly #sources = new ReplySources();

  constructor(call: GatewayCall, parts: AttemptParts) {
    this.#call = call;
    this.#parts = parts;
  }

  text(delta: string): Promise<void> | undefined {
    const { meter, watchdog } = this.#parts;
    if (watchdog.isOver()) return undefined;
    meter.spoke ||= delta.trim() !== '';
    this.#text.add(delta);
    this.#grow(delta);
    return this.#until(this.#call.heard?.text(delta), this.#passOn(delta));
  }

  toolCall(piece: ToolCallPiece): Promise<void> | undefined {
    const { meter, watchdog } = this.#parts;
    if (watchdog.isOver()) return undefined;
    if (!this.#call.prompt.tools) {
      watchdog.alive();
      return undefined;
    }
    meter.spoke = true;
    this.#toolCalls.add(piece);
    const { begins, arguments: text } = piece;
    this.#grow(begins ? `${begins.id}${begins.name}${text}` : text);
    this.hasStreamed ||= this.#call.onToolCall !== undefined;
    return this.#until(this.#call.onToolCall?.(piece));
  }

  pending(characters: number): void {
    if (!this.#parts.watchdog.isOver()) this.#hold(characters);
  }

  usage(report: ReportedUsage): void {
    const { meter, watchdog } = this.#parts;
    if (watchdog.isOver()) return;
    meter.usage = { ...meter.usage, ...report };
    meter.reportedAt = meter.tokens;
    this.#call.onProgress?.();
  }

  web({ searches = 0, pages = [] }: WebReport): void {
    const { meter, watchdog } = this.#parts;
    if (watchdog.isOver()) return;
    watchdog.alive();
    if (searches > (meter.webSearches ?? 0)) meter.webSearches = searches;
    this.#sources.add(pages);
    this.#call.onProgress?.();
  }

  alive(): void {
    if (!this.#parts.watchdog.isOver()) this.#parts.watchdog.alive();
  }

  thought(piece: Reasoning): Promise<void> | undefined {
    const { meter, watchdog } = this.#parts;
    if (watchdog.isOver()) return undefined;
    watchdog.alive();
    const { reasoning_details: _, ...texts } = piece;
    // Some servers send the same under two names.
    const [text = ''] = Object.values(texts);
    meter.tokens += tokensIn(text);
    this.#call.onProgress?.();
    if (!this.#call.tellsReasoning) return undefined;
    const { onReasoning } = this.#call;
    const isKept = this.#toolCalls.reasoning.add(piece);
    this.#hold();
    const taken = isKept && Object.keys(texts).length > 0 ? onReasoning?.(texts) : undefined;
    if (taken) watchdog.hold();
    return taken?.finally(watchdog.alive);
  }

  /** Result of a reply that has ended so: text or a tool call is required. */
  result(finishReason: FinishReason): CallResult {
    const { meter } = this.#parts;
    if (meter.spoke) {
      const sources = this.#sources.list();
      const text = this.#text.toString();
      const told = this.#toolCalls.told(this.#call.onReasoning !== undefined);
      return { ok: true, text, finishReason, ...told, ...(sources && { sources }) };
    }
    const outputTokens = meter.usage?.completionTokens ?? this.#call.outputTokensMax;
    const isKnown = finishReason === 'length' && outputTokens !== undefined;
    return { ...failedCall(SILENT_ENDS[finishReason] ?? 'empty'), ...(isKnown && { outputTokens }) };
  }

  #grow(delta: string): void {
    const { meter, watchdog } = this.#parts;
    watchdog.touch();
    meter.characters += delta.length;
    meter.tokens += tokensIn(delta);
    this.#hold();
    this.#call.onProgress?.();
  }

  #hold(pendingCharacters = 0): void {
    const { meter, output } = this.#parts;
    output.grow(meter.characters + this.#toolCalls.reasoning.characters + pendingCharacters);
  }

  /** Blank text is held back until real text follows: an answer of nothing else is empty, and asked for again. */
  #passOn(delta: string): Promise<void> | undefined {
    const { meter, onText } = this.#parts;
    if (!onText || delta === '' || !meter.spoke) return undefined;
    const piece = this.hasStreamed ? delta : this.#text.toString();
    this.hasStreamed = true;
    return onText(piece);
  }

  /** Promise to be waited for before more is read: it is passed on, and comes no faster than it may. */
  #until(...taken: readonly (Promise<void> | undefined)[]): Promise<void> | undefined {
    const { meter, output, watchdog } = this.#parts;
    const paced = output.paced(meter.characters);
    if (!paced && taken.every((each) => each === undefined)) return undefined;
    // The slowness of the reader, or our own, is not the model's.
    watchdog.hold();
    return Promise.all([...taken, paced])
      .then(() => undefined)
      .finally(watchdog.touch);
  }
}
