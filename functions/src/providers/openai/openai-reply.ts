import { reasoningIn } from '../../models/reasoning';
import type { FoundPage } from '../../models/web-search';
import type { CalledTools } from '../transport/called-tools';
import { reportedFault } from '../transport/provider-fault';
import { ReplyReader, type Taken } from '../transport/read-reply';
import { argumentsText, countOf, type Fields, fieldsOf, listOf, spokenOf, textOf } from '../transport/reply-fields';
import { usageIn, usageOf } from './openai-usage';

/** Reads one Chat Completions reply, as chunks or whole. Only the first choice is read: no more are asked for. */
export class OpenAiReply extends ReplyReader {
  #begun = false;

  take(fields: Fields, event: string | undefined): Taken {
    const { error, choices } = fields;
    if (error || event === 'error') throw reportedFault(error || fields);
    // The first chunk says that the model has begun; later ones may be empty, and say only that the connection lives.
    if (!this.#begun) this.listener.alive();
    this.#begun = true;
    const choice = fieldsOf(listOf(choices)[0]);
    const { delta, message, finish_reason } = choice;
    this.endsBy(finish_reason);
    const taken = this.#message(fieldsOf(message ?? delta));
    // After the text of the same chunk, which it counts.
    const usage = usageIn(fields, choice);
    if (usage) this.#usage(usage);
    // A server that does not know `stream` sends one completion.
    if (message) this.endMark();
    return taken;
  }

  #usage(usage: unknown): void {
    const searches = countOf(fieldsOf(fieldsOf(usage)['server_tool_use'])['web_search_requests']);
    if (searches) this.listener.web({ searches });
    const report = usageOf(usage);
    if (report) this.listener.usage(report);
  }

  #message(message: Fields): Taken {
    const { content, refusal, tool_calls, function_call, annotations } = message;
    const { reasoning_content, reasoning, reasoning_details } = message;
    const parts = partsOf(content);
    // Compatible servers name hidden reasoning in one of three ways; where it is encrypted only the last is there.
    const thinks = reasoning_content || reasoning || listOf(reasoning_details)[0] || parts.some(isThought);
    const heard = thinks ? this.think(reasoningIn(message)) : undefined;
    const text = (typeof content === 'string' ? content : parts.map(textIn).join('')) || spokenOf(refusal);
    const taken = both(heard, text === '' ? undefined : this.listener.text(text));
    if (Array.isArray(annotations)) this.listener.web({ pages: citedPages(annotations) });
    const calls = tool_calls ?? (function_call ? [{ index: 0, function: function_call }] : undefined);
    return calls ? both(taken, readToolCalls(calls, this.called)) : taken;
  }
}

/** Promise of two waits, where there are any. */
function both(first: Promise<void> | undefined, second: Promise<void> | undefined): Promise<void> | undefined {
  return first && second ? Promise.all([first, second]).then(() => undefined) : (first ?? second);
}

const NO_PARTS: readonly unknown[] = [];

/** Parts of a content that is more than a text. Hot path: a text has none. */
function partsOf(content: unknown): readonly unknown[] {
  if (typeof content === 'string') return NO_PARTS;
  return Array.isArray(content) ? content : [content];
}

/** Mistral's parts without a text of the answer: a model thinks in them, or refers to a document. */
const UNSPOKEN: ReadonlySet<unknown> = new Set(['thinking', 'reasoning', 'reference']);

/** Text of a part. Throws `protocol` for what has another form, such as an image, and would be lost. */
function textIn(part: unknown): string {
  const { type, text, refusal } = fieldsOf(part);
  return UNSPOKEN.has(type) ? '' : spokenOf(text ?? refusal ?? part);
}

function isThought(part: unknown): boolean {
  const { type } = fieldsOf(part);
  return type !== 'reference' && UNSPOKEN.has(type);
}

/** The pages that `url_citation` annotations name. */
function citedPages(annotations: readonly unknown[]): FoundPage[] {
  return annotations.map((annotation) => {
    const { url, title } = fieldsOf(fieldsOf(annotation)['url_citation']);
    return { url, title, isCited: true };
  });
}

/** Reads the `tool_calls` of a delta, or of a whole message. */
function readToolCalls(value: unknown, called: CalledTools): Promise<void> | undefined {
  if (!Array.isArray(value)) return undefined;
  const waits = value.map((each: unknown) => {
    const { index, id, function: fields } = fieldsOf(each);
    const { name, arguments: text } = fieldsOf(fields);
    const key = textOf(index) || undefined;
    return called.take({ key, id: textOf(id), name: textOf(name), arguments: argumentsText(text) });
  });
  return waits.some((wait) => wait !== undefined) ? Promise.all(waits).then(() => undefined) : undefined;
}
