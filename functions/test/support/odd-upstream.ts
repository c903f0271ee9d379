import zlib from 'node:zlib';
import { type Exchange, event, startFakeUpstream } from './fake-upstream';

/** A reply of a model: a text, or a tool that it calls. */
export interface OddReply {
  readonly text?: string;
  readonly calls?: { readonly name: string; readonly arguments: object };
}

/** A request as a server reads it. */
export interface OddRequest {
  readonly response_format?: unknown;
  readonly messages: readonly { readonly role: string; readonly content: string }[];
}

const USAGE = { prompt_tokens: 100, completion_tokens: 20, total_tokens: 120 };
const GZIP = { 'content-type': 'application/json', 'content-encoding': 'gzip' };

/** A message whose tool call has neither an id nor an index, and its arguments as an object. */
function messageOf({ text, calls }: OddReply, content: unknown) {
  return {
    role: 'assistant',
    content: text === undefined ? null : content,
    ...(calls && { tool_calls: [{ type: 'function', function: calls }] }),
  };
}

function completion(reply: OddReply, content: unknown, finish_reason: string) {
  return { object: 'chat.completion', choices: [{ index: 0, message: messageOf(reply, content), finish_reason }] };
}

function chunk(delta: object, more: object = {}): string {
  return event({ choices: [{ index: 0, delta, finish_reason: null, ...more }] });
}

/** Ways in which servers send one reply, none of them as OpenAI does. */
const FORMS: readonly ((reply: OddReply, exchange: Exchange) => void)[] = [
  // One JSON body under the type of events, its text in parts.
  (reply, exchange) => {
    const parts = [{ type: 'text', text: reply.text }];
    exchange.end(JSON.stringify({ ...completion(reply, parts, 'stop'), usage: USAGE }));
  },
  // Compressed events under the type of JSON, without a mark of the end.
  (reply, exchange) => {
    const events = chunk(messageOf(reply, reply.text)) + chunk({}, { finish_reason: 'STOP', usage: USAGE });
    exchange.begin(200, GZIP);
    exchange.write(zlib.gzipSync(events));
    exchange.end();
  },
  // Thoughts and text in parts, between notes.
  (reply, exchange) => {
    const thought = chunk({ content: [{ type: 'thinking', thinking: [{ type: 'text', text: 'Hm.' }] }] });
    const said = chunk(messageOf(reply, [{ type: 'text', text: reply.text }]), { finish_reason: 'eos' });
    exchange.end(`data: ping\n\n${thought}data: : hm\n\n${said}data: [DONE] \n\n`);
  },
  // A whole completion as one event.
  (reply, exchange) => exchange.end(event({ ...completion(reply, reply.text, 'end_turn'), x_groq: { usage: USAGE } })),
];

/** A compatible server that sends every reply in another form, in turn. */
export function startOddUpstream(replyTo: (request: OddRequest) => OddReply) {
  let served = 0;
  return startFakeUpstream((exchange) => {
    const form = FORMS[served % FORMS.length];
    served += 1;
    form?.(replyTo(JSON.parse(exchange.request.body)), exchange);
  });
}
