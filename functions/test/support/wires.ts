import { QUESTION } from './app';

/** Every protocol in which a run can be asked for: where, how, and what its replies say, read as its clients read them. */
export interface WireForm {
  readonly name: string;
  readonly path: string;
  /** Fields that a request needs beside `model`. */
  prompt(text?: string): object;
  /** Text of a reply in one piece, its calls of tools, and the tokens that it counts. */
  whole(body: Json): Said;
  /** The same of a stream, event by event. */
  streamed(events: readonly WireEvent[]): Said & StreamEnd;
  /** Error of a body, or of the last event of a stream; undefined where it is none of this protocol's. */
  errorOf(body: Json): { readonly message: string; readonly type: string } | undefined;
}

/** JSON of any form. */
// biome-ignore lint/suspicious/noExplicitAny: what a server sends is looked at, not trusted.
export type Json = any;

export interface Said {
  readonly text: string;
  readonly calls: number;
  /** Input and output; undefined where no usage is told. */
  readonly tokens: readonly [number, number] | undefined;
}

interface StreamEnd {
  /** True if the stream ends as a whole one does. */
  readonly isWhole: boolean;
  readonly error: string | undefined;
}

/** One server-sent event; its data is undefined at the mark `[DONE]`. */
export interface WireEvent {
  readonly name: string | undefined;
  readonly data: Json;
}

/** Events of a whole stream; throws on what no decoder takes. */
export function wireEvents(raw: string): WireEvent[] {
  const blocks = raw.split('\n\n');
  if (blocks.pop() !== '') throw new Error(`the stream does not end with a blank line: ${raw.slice(-100)}`);
  return blocks.flatMap((block) => {
    const lines = block.split('\n').filter((line) => !line.startsWith(':'));
    if (lines.length === 0) return [];
    const [name, data] = ['event: ', 'data: '].map((field) =>
      lines.find((line) => line.startsWith(field))?.slice(field.length),
    );
    if (data === undefined || lines.length !== (name === undefined ? 1 : 2)) throw new Error(`no event: ${block}`);
    return [{ name, data: data === '[DONE]' ? undefined : JSON.parse(data) }];
  });
}

const messages = (content = QUESTION) => ({ messages: [{ role: 'user', content }] });
const joined = (texts: readonly unknown[]): string => texts.map((text) => text ?? '').join('');

/** An error with exactly these fields, none of them empty. */
function errorWith(body: Json, ...fields: readonly string[]) {
  const { error, ...rest } = body ?? {};
  const isExact = Object.keys(rest).length === 0 && `${Object.keys(error ?? {}).sort()}` === `${fields.toSorted()}`;
  return isExact && error.message && error.type ? error : undefined;
}

function chatWhole({ choices, usage }: Json): Said {
  const [{ message }] = choices;
  return {
    text: message.content ?? '',
    calls: message.tool_calls?.length ?? 0,
    tokens: usage && [usage.prompt_tokens, usage.completion_tokens],
  };
}

function chatStreamed(events: readonly WireEvent[]): Said & StreamEnd {
  const chunks = events.flatMap(({ data }) => data ?? []);
  const choices = chunks.flatMap((chunk) => chunk.choices ?? []);
  const usage = chunks.find((chunk) => chunk.usage)?.usage;
  const error = chunks.at(-1)?.error;
  const hasEnd = choices.filter(({ finish_reason: reason }) => reason).length === 1;
  return {
    text: joined(choices.map(({ delta }) => delta.content)),
    calls: choices.flatMap(({ delta }) => delta.tool_calls ?? []).filter(({ id }) => id).length,
    tokens: usage && [usage.prompt_tokens, usage.completion_tokens],
    isWhole: hasEnd && events.findIndex(({ data }) => data === undefined) === events.length - 1,
    error: typeof error === 'string' ? error : error?.message,
  };
}

function itemsSaid(response: Json): Said {
  const content = response.output.flatMap((item: Json) => item.content ?? []);
  return {
    text: joined(content.map((part: Json) => part.text)),
    calls: response.output.filter(({ type }: Json) => /^(?:function|custom_tool)_call$/.test(type)).length,
    tokens: response.usage && [response.usage.input_tokens, response.usage.output_tokens],
  };
}

function itemsStreamed(events: readonly WireEvent[]): Said & StreamEnd {
  const of = (kind: string) => events.flatMap(({ data }) => (data?.type === kind ? data : []));
  const last = events.at(-1)?.data;
  const isWhole = ['response.completed', 'response.incomplete'].includes(last?.type);
  const said = isWhole ? itemsSaid(last.response) : { calls: 0, tokens: undefined };
  const fault = last?.type === 'response.failed' ? last.response.error : last?.type === 'error' ? last : undefined;
  return {
    ...said,
    text: joined(of('response.output_text.delta').map(({ delta }) => delta)),
    isWhole,
    error: fault?.message,
  };
}

function blocksSaid({ content, usage }: Json): Said {
  const of = (kind: string) => content.filter(({ type }: Json) => type === kind);
  const { input_tokens: fresh, cache_read_input_tokens: read, cache_creation_input_tokens: written } = usage;
  return {
    text: joined(of('text').map(({ text }: Json) => text)),
    calls: of('tool_use').length,
    tokens: [fresh + (read ?? 0) + (written ?? 0), usage.output_tokens],
  };
}

function blocksStreamed(events: readonly WireEvent[]): Said & StreamEnd {
  const of = (kind: string) => events.flatMap(({ data }) => (data?.type === kind ? data : []));
  const deltas = of('content_block_delta').flatMap(({ delta }) => (delta.type === 'text_delta' ? delta.text : []));
  const begun = of('content_block_start').map(({ content_block: block }) => block);
  const usage = { ...of('message_start')[0]?.message.usage, ...of('message_delta')[0]?.usage };
  const { data: last } = events.at(-1) ?? {};
  return {
    ...blocksSaid({ content: begun.map((block) => ({ ...block, text: '' })), usage }),
    text: joined(deltas),
    isWhole: last?.type === 'message_stop' && of('message_delta').length === 1,
    error: last?.type === 'error' ? last.error.message : undefined,
  };
}

/** The two of `/v1`, and those at the addresses of other SDKs. */
export const WIRES: readonly WireForm[] = [
  {
    name: 'chat completions',
    path: '/v1/chat/completions',
    prompt: messages,
    whole: chatWhole,
    streamed: chatStreamed,
    errorOf: (body) => errorWith(body, 'message', 'type'),
  },
  {
    name: 'responses of /v1',
    path: '/v1/responses',
    prompt: (input = QUESTION) => ({ input }),
    whole: itemsSaid,
    streamed: chatStreamed,
    errorOf: (body) => errorWith(body, 'message', 'type'),
  },
  {
    name: 'strict chat completions',
    path: '/openai/v1/chat/completions',
    prompt: (text) => ({ ...messages(text), stream_options: { include_usage: true } }),
    whole: chatWhole,
    streamed: chatStreamed,
    errorOf: (body) => errorWith(body, 'message', 'type', 'param', 'code'),
  },
  {
    name: 'Responses',
    path: '/openai/v1/responses',
    prompt: (input = QUESTION) => ({ input }),
    whole: itemsSaid,
    streamed: itemsStreamed,
    errorOf: (body) => errorWith(body, 'message', 'type', 'param', 'code'),
  },
  {
    name: 'Messages',
    path: '/anthropic/v1/messages',
    prompt: (text) => ({ ...messages(text), max_tokens: 1_024 }),
    whole: blocksSaid,
    streamed: blocksStreamed,
    errorOf: ({ type, request_id: id, ...body }) =>
      type === 'error' && /^[0-9a-f]{32}$/.test(id)
        ? (errorWith(body, 'message', 'type') ?? errorWith(body, 'message', 'type', 'details'))
        : undefined,
  },
];
