/* Items of a response's output: what a model thinks and says, and the tools it calls. Each begins, grows and ends. */
import { customInput } from '../../shared/custom-tools';
import type { NumberedEvents } from './numbered-events';
import type { CalledTool } from './tools';

/** An item that has not ended. */
export interface OpenItem {
  add(piece: string): void;
  /** Begins another text, where the item is a list of such. */
  beginPart?(): void;
  /** Tells its end; the item as a whole. */
  close(isWhole: boolean): object;
}

/** A tool with the id of its call. */
type Called = CalledTool & { readonly id: string };

const CALLS = {
  function: { item: 'function_call', field: 'arguments', event: 'function_call_arguments' },
  custom: { item: 'custom_tool_call', field: 'input', event: 'custom_tool_call_input' },
} as const;

/** Place of an item: its id and its index in the output. */
export interface Place {
  readonly item_id: string;
  readonly output_index: number;
}

const statusOf = (isWhole: boolean) => (isWhole ? 'completed' : 'incomplete');

/** Tells an item's beginning; the function tells its end, and returns it. */
function openItem(events: NumberedEvents, { item_id: id, output_index }: Place, begun: object) {
  events.write('response.output_item.added', { output_index, item: { id, ...begun } });
  return (ended: object): object => {
    const item = { id, ...begun, ...ended };
    events.write('response.output_item.done', { output_index, item });
    return item;
  };
}

/** A message of the assistant, which is one text. */
export function openMessage(events: NumberedEvents, place: Place): OpenItem {
  const begun = { type: 'message', status: 'in_progress', role: 'assistant', content: [] };
  const done = openItem(events, place, begun);
  const at = { ...place, content_index: 0 };
  const partOf = (text: string) => ({ type: 'output_text', annotations: [], logprobs: [], text });
  events.write('response.content_part.added', { ...at, part: partOf('') });
  const tell = events.pieces('response.output_text.delta', { ...at, logprobs: [] });
  let text = '';
  return {
    add: (piece) => {
      text += piece;
      tell(piece);
    },
    close: (isWhole) => {
      events.write('response.output_text.done', { ...at, logprobs: [], text });
      events.write('response.content_part.done', { ...at, part: partOf(text) });
      return done({ status: statusOf(isWhole), content: [partOf(text)] });
    },
  };
}

/** Thoughts, or what a run is at: a list of texts, of which the last one grows. */
export function openReasoning(events: NumberedEvents, place: Place): OpenItem {
  const done = openItem(events, place, { type: 'reasoning', summary: [] });
  const summary: { readonly type: 'summary_text'; text: string }[] = [];
  const part = 'response.reasoning_summary_part';
  const words = 'response.reasoning_summary_text';
  let tell = (_: string): void => undefined;
  const end = (): void => {
    const last = summary.at(-1);
    if (!last) return;
    const at = { ...place, summary_index: summary.length - 1 };
    events.write(`${words}.done`, { ...at, text: last.text });
    events.write(`${part}.done`, { ...at, part: last });
  };
  return {
    beginPart: () => {
      end();
      const at = { ...place, summary_index: summary.length };
      const begun = { type: 'summary_text', text: '' } as const;
      events.write(`${part}.added`, { ...at, part: begun });
      summary.push({ ...begun });
      tell = events.pieces(`${words}.delta`, at);
    },
    add: (piece) => {
      const last = summary.at(-1);
      if (last) last.text += piece;
      tell(piece);
    },
    close: () => {
      end();
      return done({ summary });
    },
  };
}

/** The thoughts of a model that has called tools, as it wants them back; its client cannot read them. */
export function sealedThoughts(events: NumberedEvents, place: Place, token: string): object {
  return openItem(events, place, { type: 'reasoning', summary: [] })({ encrypted_content: token });
}

/** A call of a tool; the text for one that takes any is known once its arguments are whole. */
export function openCall(events: NumberedEvents, place: Place, { id: call_id, type, ...named }: Called): OpenItem {
  const kind = CALLS[type];
  const done = openItem(events, place, { type: kind.item, status: 'in_progress', [kind.field]: '', call_id, ...named });
  const tell = events.pieces(`response.${kind.event}.delta`, place);
  let json = '';
  return {
    add: (piece) => {
      json += piece;
      if (type === 'function' && piece !== '') tell(piece);
    },
    close: (isWhole) => {
      const text = type === 'custom' ? customInput(json) : json;
      if (type === 'custom') tell(text);
      events.write(`response.${kind.event}.done`, { ...place, [kind.field]: text });
      return done({ status: statusOf(isWhole), [kind.field]: text });
    },
  };
}
