/* Replies in the form of the protocol: a run is written item by item, whether anybody reads it as it comes or not. */
import type { EnsembleResult } from '../../../ensemble/open-ensemble';
import { PASS_THROUGH } from '../../../ensemble/strategies/strategies';
import type { Fault } from '../../../errors';
import type { EventWriter } from '../../../http/event-stream';
import { lazy } from '../../../lib/lazy';
import type { Reasoning } from '../../../models/reasoning';
import type { ToolCallPiece } from '../../../models/tools';
import type { Finished } from '../../../runs/run';
import type { TracedEvent } from '../../../runs/trace-event';
import type { ReplyHead, StreamWriter, Wire } from '../../answer/wire';
import { thoughtToken } from '../../shared/thought-token';
import { NumberedEvents } from './numbered-events';
import { type OpenItem, openCall, openMessage, openReasoning, type Place, sealedThoughts } from './output-items';
import { begunResponse, cutReason, endedResponse, failedResponse, openResponse, type Response } from './response-body';
import { calledTools } from './tools';

/** An item that has not ended. */
interface Open {
  readonly index: number;
  readonly item: OpenItem;
}

const OPENERS = { thoughts: openReasoning, status: openReasoning, message: openMessage };
type Kind = keyof typeof OPENERS;

/** Writes one response. What is thought and said ends where the next item begins; calls may grow side by side. */
class ResponseWriter implements StreamWriter {
  readonly #head: ReplyHead;
  readonly #events: NumberedEvents;
  readonly #output: object[] = [];
  readonly #calls = new Map<number, Open>();
  readonly #tools: () => ReturnType<typeof calledTools>;
  #items = 0;
  #current: (Open & { readonly kind: Kind }) | undefined;
  #thoughts: Reasoning | undefined;

  constructor(head: ReplyHead, events?: EventWriter) {
    this.#head = head;
    this.#events = new NumberedEvents(events);
    this.#tools = lazy(() => calledTools(head.sent));
  }

  open(): void {
    this.#events.write('response.created', { response: begunResponse(this.#head) });
    this.#events.repeatWhenSilent('response.in_progress', { response: openResponse(this.#head) });
  }

  text(piece: string): void {
    this.#opened('message').add(piece);
  }

  toolCall({ index, begins, arguments: piece }: ToolCallPiece): void {
    if (begins) {
      this.#closeCurrent(true);
      const { id, name } = begins;
      const tool = this.#tools().get(name) ?? { type: 'function', name };
      const place = this.#newPlace(tool.type === 'custom' ? 'ctc' : 'fc');
      this.#calls.set(index, { index: place.output_index, item: openCall(this.#events, place, { ...tool, id }) });
    }
    this.#calls.get(index)?.item.add(piece);
  }

  reasoning(piece: Reasoning): void {
    const { reasoning_content, reasoning } = this.#thoughts ?? {};
    this.#thoughts = {
      ...piece,
      ...(piece.reasoning_content && { reasoning_content: (reasoning_content ?? '') + piece.reasoning_content }),
      ...(piece.reasoning && { reasoning: (reasoning ?? '') + piece.reasoning }),
    };
    // Some servers send the same under two names.
    const text = piece.reasoning_content ?? piece.reasoning ?? '';
    if (text !== '') this.#opened('thoughts').add(text);
  }

  status(message: string): void {
    // One model that answers is no news: of it only the answer is written.
    if (this.#head.strategy === PASS_THROUGH) return;
    const item = this.#opened('status');
    item.beginPart?.();
    item.add(message);
  }

  trace(trace: TracedEvent): void {
    this.#events.write('response.in_progress', { response: { ...openResponse(this.#head), ensemble: { trace } } });
  }

  end(finished: Finished<EnsembleResult>): Response {
    const { toolCalls, reasoning } = finished.result;
    const reason = cutReason(finished.result);
    this.#closeAll(reason === undefined);
    const thoughts = { ...this.#thoughts, ...reasoning };
    if (toolCalls && Object.keys(thoughts).length > 0) {
      const place = this.#newPlace('rse');
      this.#output[place.output_index] = sealedThoughts(this.#events, place, thoughtToken(thoughts));
    }
    const response = endedResponse(this.#head, finished, this.#output);
    this.#events.write(`response.${response.status}`, { response });
    return response;
  }

  fail(fault: Fault): void {
    this.#closeAll(false);
    this.#events.write('response.failed', { response: failedResponse(this.#head, fault, this.#output) });
  }

  #opened(kind: Kind): OpenItem {
    if (this.#current?.kind !== kind) {
      this.#closeCurrent(true);
      const place = this.#newPlace(kind === 'message' ? 'msg' : 'rs');
      const item: OpenItem = OPENERS[kind](this.#events, place);
      if (kind === 'thoughts') item.beginPart?.();
      this.#current = { kind, index: place.output_index, item };
    }
    return this.#current.item;
  }

  #newPlace(prefix: string): Place {
    const index = this.#items;
    this.#items += 1;
    return { item_id: `${prefix}_${this.#head.id.slice(ID_PREFIX.length)}_${index}`, output_index: index };
  }

  #closeAll(isWhole: boolean): void {
    this.#closeCurrent(isWhole);
    for (const { index, item } of this.#calls.values()) this.#output[index] = item.close(isWhole);
    this.#calls.clear();
  }

  #closeCurrent(isWhole: boolean): void {
    if (this.#current) this.#output[this.#current.index] = this.#current.item.close(isWhole);
    this.#current = undefined;
  }
}

const ID_PREFIX = 'resp_';

export const responseWire: Wire<Response> = {
  idPrefix: ID_PREFIX,
  named: true,
  whole: (head, finished, content) => {
    const { reasoning, toolCalls = [] } = finished.result;
    const writer = new ResponseWriter(head);
    if (reasoning) writer.reasoning(reasoning);
    if (content !== '' || toolCalls.length === 0) writer.text(content);
    for (const [index, { id, name, arguments: json }] of toolCalls.entries()) {
      writer.toolCall({ index, begins: { id, name }, arguments: json });
    }
    return writer.end(finished);
  },
  stream: (head, events) => new ResponseWriter(head, events),
};
