import type { CallListener } from '../../models/model';
import { reasoningIn } from '../../models/reasoning';
import type { FoundPage } from '../../models/web-search';
import { reportedFault } from '../transport/provider-fault';
import { countOf, type Fields, fieldsOf, firstOf, spokenOf } from '../transport/reply-fields';
import { ReplyReader, type Taken } from '../transport/reply-reader';
import { readToolCalls } from './openai-tools';
import { usageIn, usageOf } from './openai-usage';

/** Whole endings, compatible servers' own words among them. */
const WHOLE: ReadonlySet<string> = new Set([
  ...['stop', 'tool_calls', 'function_call'],
  ...['end_turn', 'stop_sequence', 'tool_use', 'eos', 'eos_token', 'complete', 'completed'],
]);

/** Reads one Chat Completions reply, as chunks or whole. Only the first choice is read: no more are asked for. */
export class OpenAiReply extends ReplyReader {
  #begun = false;

  constructor(listener: CallListener) {
    super(listener, WHOLE);
  }

  take(fields: Fields, event: string | undefined): Taken {
    const { error, choices } = fields;
    if (error || event === 'error') throw reportedFault(error || fields);
    // The first chunk says that the model has begun; later ones may be empty, and say only that the connection lives.
    if (!this.#begun) this.listener.alive();
    this.#begun = true;
    const choice = fieldsOf(firstOf(choices));
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

  #message({
    content,
    refusal,
    tool_calls,
    function_call,
    annotations,
    ...thoughts
  }: Fields): Promise<void> | undefined {
    const { text: said, thinks } = contentOf(content);
    // Compatible servers name hidden reasoning in one of three ways; where it is encrypted only the last is there.
    if (thinks || thoughts['reasoning_content'] || thoughts['reasoning'] || firstOf(thoughts['reasoning_details'])) {
      this.listener.alive('thinks', reasoningIn(thoughts));
    }
    const text = said || spokenOf(refusal);
    const taken = text === '' ? undefined : this.listener.text(text);
    if (Array.isArray(annotations)) this.listener.web({ pages: citedPages(annotations) });
    const calls = tool_calls ?? (function_call ? [{ index: 0, function: function_call }] : undefined);
    if (!calls) return taken;
    const called = readToolCalls(calls, this.called);
    return taken && called ? Promise.all([taken, called]).then(() => undefined) : (taken ?? called);
  }
}

/** Content of a message: its text, and whether it holds thoughts. */
interface Content {
  readonly text: string;
  readonly thinks: boolean;
}

/** Mistral's parts that a model thinks in, or refers to a document with, have no text of the answer. */
const UNSPOKEN: ReadonlyMap<unknown, Content> = new Map([
  ['thinking', { text: '', thinks: true }],
  ['reasoning', { text: '', thinks: true }],
  ['reference', { text: '', thinks: false }],
]);

/** Reads a content that is a text or a list of parts. Throws `protocol` for what has another form, and would be lost. */
function contentOf(content: unknown): Content {
  if (typeof content === 'string') return { text: content, thinks: false };
  if (Array.isArray(content)) {
    const parts = content.map(partOf);
    return { text: parts.map(({ text }) => text).join(''), thinks: parts.some(({ thinks }) => thinks) };
  }
  return partOf(content);
}

function partOf(part: unknown): Content {
  const { type, text, refusal } = fieldsOf(part);
  const unspoken = UNSPOKEN.get(type);
  if (unspoken) return unspoken;
  const isObject = typeof part === 'object' && part !== null;
  // A part of another kind, such as an image, would be lost.
  return { text: spokenOf(isObject ? (text ?? refusal ?? part) : part), thinks: false };
}

/** The pages that `url_citation` annotations name. */
function citedPages(annotations: readonly unknown[]): FoundPage[] {
  return annotations.map((annotation) => {
    const { url, title } = fieldsOf(fieldsOf(annotation)['url_citation']);
    return { url, title, isCited: true };
  });
}
