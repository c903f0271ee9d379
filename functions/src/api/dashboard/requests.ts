import * as z from 'zod';
import { refuse } from '../../errors';
import { originOf } from '../../ledger/ledger-store';
import type { LoggedRequest, RequestPlace } from '../../ledger/request-log';
import { CLOCKS_DIFFER_MS, isoTime } from '../../lib/clock';
import { amount, count, list, moment, named, oneOf, type Sent, text, texts } from '../../lib/reply-schemas';
import { usd } from '../../lib/usd';
import { parsePlace } from '../../runs/run-list';
import { accountRoute } from '../shared/operation';
import { optional } from '../shared/schemas';

const LISTED = 100;
const TEXT_CHARACTERS_MAX = 200;
const SEARCHED_AT_ONCE = 200;
const SEARCHED_MAX = 2_000;

const OUTCOMES = ['running', 'complete', 'stopped', 'failed', 'lost', 'ended'] as const;

const LoggedRequestBody = named('LoggedRequest', () =>
  z.object({
    id: text('32 hexadecimal digits, the `x-request-id`.'),
    startedAt: moment('When it began.'),
    keyId: text('The id that usage counts its key under.'),
    keyName: text('The name of the key.'),
    endpoint: text('The endpoint, such as `chat.completions`.'),
    strategy: text('The strategy, `agent` or `pass_through`.').optional(),
    models: texts('The names of the models that consumed something.'),
    promptTokens: count('Prompt tokens.'),
    completionTokens: count('Completion tokens.'),
    costUsd: amount('In US dollars.'),
    costGap: oneOf(
      ['unpriced', 'router'],
      'What the cost lacks: calls without a known price, or billed by a router.',
    ).optional(),
    outcome: oneOf(OUTCOMES, '`lost`: its process died; `ended`: how is not kept.'),
    durationMs: count('From its start to its end.').optional(),
  }),
);
const LoggedRequestList = named('LoggedRequestList', () =>
  z.object({
    data: list(LoggedRequestBody, 'Newest first.'),
    next: text('As `before` it leads to what follows, where there may be more.').optional(),
  }),
);

const words = z.string().max(TEXT_CHARACTERS_MAX, `must have at most ${TEXT_CHARACTERS_MAX} characters`);

export const listRequests = accountRoute({
  at: 'GET /dashboard/usage/requests',
  id: 'listRequests',
  summary: `List the requests that were let in, ${LISTED} at a time, newest first; they are kept for 400 days`,
  query: z.object({
    before: optional(words, 'The `next` of the part before. Default: the newest.'),
    key: optional(words, 'The id that usage counts a key under.'),
    q: optional(words, 'Text in the name of the key, the endpoint, the strategy, a model or the outcome.'),
  }),
  reply: LoggedRequestList,
  run: async ({ store }, { userId, startedAtMs }, { before, ...asked }) => {
    const newest = { startedAtMs: startedAtMs + CLOCKS_DIFFER_MS, runId: 'f'.repeat(32) };
    const from = before === undefined ? newest : parsePlace(before);
    if (!from) return refuse('invalid_request', 'Invalid before: must be the next of an earlier page');
    const log = (page: RequestPlace, max: number) => store.listRequests(userId, { before: page, max });
    return { body: await pageOf(log, { startedAtMs: from.startedAtMs, requestId: from.runId }, asked) };
  },
});

/** No index holds words: a search looks through so many requests for one reply, and says where it stopped. */
async function pageOf(
  log: (before: RequestPlace, max: number) => Promise<LoggedRequest[]>,
  from: RequestPlace,
  { key, q = '' }: { readonly key?: string | undefined; readonly q?: string | undefined },
): Promise<Sent<typeof LoggedRequestList>> {
  const max = key === undefined && q === '' ? LISTED + 1 : SEARCHED_AT_ONCE;
  const data: Sent<typeof LoggedRequestBody>[] = [];
  let place = from;
  for (let searched = 0; searched < SEARCHED_MAX; searched += max) {
    const page = await log(place, max);
    for (const request of page) {
      if (data.length === LISTED) return { data, next: nameOf(place) };
      place = request;
      const isOfKey = key === undefined || originOf(request) === key;
      if (isOfKey && wordsOf(request).includes(plainWords(q))) data.push(requestBody(request));
    }
    if (page.length < max) return { data };
  }
  return { data, next: nameOf(place) };
}

function nameOf({ startedAtMs, requestId }: RequestPlace): string {
  return `${startedAtMs}-${requestId}`;
}

/** Words that the page shows beside those of the log. */
const SHOWN: Readonly<Record<string, string>> = { pass_through: 'one model alone', lost: 'failed: the server stopped' };

function wordsOf({ keyName, endpoint, strategy = '', models, outcome }: LoggedRequest): string {
  const told = [keyName, endpoint, strategy, SHOWN[strategy], ...models, outcome, SHOWN[outcome]];
  return plainWords(told.join('\n'));
}

function plainWords(text: string): string {
  return text.toLowerCase().replaceAll('_', ' ');
}

function requestBody(request: LoggedRequest): Sent<typeof LoggedRequestBody> {
  const { requestId: id, startedAtMs, originId: _, costNanoUsd, ...told } = request;
  return { ...told, id, startedAt: isoTime(startedAtMs), keyId: originOf(request), costUsd: usd(costNanoUsd) };
}
