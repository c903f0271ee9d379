import type { Exchange, Reply } from '../support/fake-upstream';
import { event, sendStatus, startFakeUpstream } from '../support/fake-upstream';
import { OPENAI } from './upstream-app';

/** Calls whose prompt has this word begin to answer, and then wait until they are given up. */
export const NEVER_ENDS = 'never-ends';
/** The last piece that such a call says. */
export const LAST_WORDS = 'second ';

/** One call in twenty fails: refused, cut off without a word, or broken off after a word that is billed. */
const FAULTS: readonly Reply[] = [
  sendStatus(500, 'down'),
  (exchange) => exchange.cut(),
  (exchange) => exchange.end(OPENAI.text('first ', bill(exchange, 1)) + event({ error: { type: 'server_error' } })),
  sendStatus(429, 'slow down', { 'retry-after': '0' }),
];
const FAULT_EVERY = 20;

/** A provider that keeps its own bill: the last report of each call that said something. */
export async function startSoakUpstream() {
  let calls = 0;
  const billed = { promptTokens: 0, completionTokens: 0 };
  const count = ({ prompt_tokens, completion_tokens }: ReturnType<typeof bill>): void => {
    billed.promptTokens += prompt_tokens;
    billed.completionTokens += completion_tokens;
  };
  const server = await startFakeUpstream((exchange) => {
    calls += 1;
    const { body } = exchange.request;
    if (body.includes(NEVER_ENDS)) {
      count(bill(exchange, 2));
      exchange.write(OPENAI.text('first ', bill(exchange, 1)));
      return exchange.write(OPENAI.text(LAST_WORDS, bill(exchange, 2)));
    }
    if (calls % FAULT_EVERY === 0) {
      const kind = (calls / FAULT_EVERY) % FAULTS.length;
      if (kind === 2) count(bill(exchange, 1));
      return FAULTS[kind]?.(exchange);
    }
    count(bill(exchange, 3));
    const texts = ['first ', LAST_WORDS, 'third.'].map((text, index) => OPENAI.text(text, bill(exchange, index + 1)));
    exchange.end(texts.join('') + OPENAI.end + OPENAI.done);
  });
  return {
    url: server.url,
    billed,
    /** Forgets the requests, which the fake keeps. */
    forget: () => {
      server.requests.length = 0;
    },
    close: server.close,
  };
}

/** Usage of a call so far: by its prompt, and a token for each piece. */
function bill({ request }: Exchange, completionTokens: number) {
  return { prompt_tokens: 20 + (request.body.length % 97), completion_tokens: completionTokens };
}
