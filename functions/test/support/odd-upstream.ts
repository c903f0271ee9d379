import zlib from 'node:zlib';
import { type Exchange, event, type RecordedRequest, startFakeUpstream } from './fake-upstream';

const USAGE = { prompt_tokens: 100, completion_tokens: 20, total_tokens: 120 };
const GZIP = { 'content-type': 'application/json', 'content-encoding': 'gzip' };

function completion(content: unknown, finish_reason = 'stop') {
  return { object: 'chat.completion', choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason }] };
}

function chunk(content: unknown, more: object = {}): string {
  return event({ choices: [{ index: 0, delta: { content }, finish_reason: null, ...more }] });
}

/** Ways in which servers send one text, none of them as OpenAI does. */
const FORMS: readonly ((text: string, exchange: Exchange) => void)[] = [
  // One JSON body under the type of events, its text in parts.
  (text, exchange) => exchange.end(JSON.stringify({ ...completion([{ type: 'text', text }]), usage: USAGE })),
  // Compressed events under the type of JSON, without a mark of the end.
  (text, exchange) => {
    exchange.begin(200, GZIP);
    exchange.write(zlib.gzipSync(chunk(text) + chunk('', { finish_reason: 'STOP', usage: USAGE })));
    exchange.end();
  },
  // Thoughts and text in parts, between notes.
  (text, exchange) => {
    const thought = chunk([{ type: 'thinking', thinking: [{ type: 'text', text: 'Hm.' }] }]);
    exchange.end(
      `data: ping\n\n${thought}data: : hm\n\n${chunk([{ type: 'text', text }], { finish_reason: 'eos' })}data: [DONE] \n\n`,
    );
  },
  // A whole completion as one event.
  (text, exchange) => exchange.end(event({ ...completion(text, 'end_turn'), x_groq: { usage: USAGE } })),
];

/** A compatible server that sends every reply in another form, in turn; `textFor` decides what it says. */
export function startOddUpstream(textFor: (body: { readonly response_format?: unknown }) => string) {
  let served = 0;
  return startFakeUpstream((exchange) => {
    const form = FORMS[served % FORMS.length];
    served += 1;
    form?.(textFor(bodyOf(exchange.request)), exchange);
  });
}

function bodyOf({ body }: RecordedRequest): { readonly response_format?: unknown } {
  return JSON.parse(body) as { readonly response_format?: unknown };
}
