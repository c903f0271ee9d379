import * as z from 'zod';
import { isRefusal } from '../../errors';
import type { JsonTextReply } from '../../http/reply';
import type { AccountRequest } from '../../http/route';
import { count, flag, list, mapOf, named, oneOf, type Sent, text, texts } from '../../lib/reply-schemas';
import type { AskedRun } from '../../runs/kept-runs';
import type { KeptRun as RunRecord, RunRef } from '../../runs/run-store';
import { TraceEvent } from '../../runs/trace-event';
import { Plan, planBody } from '../answer/plan';
import { openPlaygroundRun, PlaygroundRequest, planPlaygroundRun } from '../playground/playground';
import { keptRequest } from '../shared/kept-request';
import { accountRoute } from '../shared/operation';
import { optional } from '../shared/schemas';
import { EvaluationList } from '../v1/evaluation-body';
import { eventsReply, FOLLOWED, refuseUnknownRun } from '../v1/run-events';
import { ratingSchema } from './run-rating';

const LISTED = 30;
const LISTED_MAX = 100;
const WORDS_CHARACTERS_MAX = 200;

const RUN_STREAM =
  'Server-sent events, each with its `seq` as id, up to the event `end`; silences are bridged by comments. A run that is kept goes on when its client leaves.';
const EXAMPLE = {
  model: 'demo-ada',
  messages: [{ role: 'user', content: 'Is a tomato a fruit?' }],
  ai_ensemble: { models: ['demo-ada', 'demo-curie'], rounds: 2, includeReasoning: true },
};

const state = () => oneOf(['running', 'complete', 'stopped', 'failed'], 'How it stands.');
const summaryFields = () => ({
  id: text('32 hexadecimal digits, the `x-request-id` of the request that began it.'),
  startedAtMs: count('Unix milliseconds.'),
  endpoint: text('Where it was begun: `playground`, `chat.completions` or `responses`.'),
  prompt: text('The beginning of the prompt, at most 200 characters.'),
  strategy: text("A strategy's name, `agent` or `pass_through`; empty until the run has begun."),
  rounds: count('As asked for.'),
  models: texts('The labels of the participants and of the arbiter.'),
  state: state(),
  message: text('Why it failed.').optional(),
  promptTokens: count('Of all calls that are over.'),
  completionTokens: count('Likewise.'),
  costNanoUsd: count('Likewise, in billionths of a US dollar.'),
  calls: count('Attempts at models that are over.'),
  durationMs: count('Until its end, or until now.'),
  thread: text('The id of the conversation that it belongs to: that of its first run.').optional(),
  after: text('The run whose answer it goes on from.').optional(),
  rating: ratingSchema().optional(),
  shared: flag('Whether there is a link by which anybody may read it.'),
});
const RunSummary = named('RunSummary', () => z.object(summaryFields()), 'A run that is kept.');
const RunList = named('RunList', () =>
  z.object({
    data: list(RunSummary, 'Newest first.'),
    next: text('As `before` it leads to what follows, where there is more.').optional(),
  }),
);
const ThreadRuns = named('ThreadRuns', () => z.object({ data: list(RunSummary, 'Oldest first.') }));
const KeptRun = named('KeptRun', () =>
  z.object({
    ...summaryFields(),
    evaluationCount: count('How many evaluations are kept with it.'),
    request: mapOf(
      z.unknown(),
      'The body as it was sent; of files the name, the media type and how many bytes they had.',
    ).optional(),
  }),
);
const KeptEvaluations = named('KeptEvaluations', () =>
  z.object({
    data: list(EvaluationList, 'Oldest first; `response` is the SHA-256 of the judged text, in hex.'),
    next: count('The `from` of what follows; absent where this part is empty.').optional(),
  }),
);
const RunStopped = named('RunStopped', () => z.object({ id: text('The id of the run.'), state: state() }));
const RunsDeleted = named('RunsDeleted', () => z.object({ deleted: count('How many there were.') }));

const words = z.string().max(WORDS_CHARACTERS_MAX, `must have at most ${WORDS_CHARACTERS_MAX} characters`);
const LIMIT_RULE = `must be an integer from 1 to ${LISTED_MAX}`;
const limit = z.coerce.number(LIMIT_RULE).int(LIMIT_RULE).min(1, LIMIT_RULE).max(LISTED_MAX, LIMIT_RULE);
const from = z.coerce.number('must be a whole number').int('must be a whole number').min(0, 'must be a whole number');

const runs = '/dashboard/runs';
const one = `${runs}/{id}`;
const resource = 'The id of a run.';

/** The playground: runs of the user's own making, and those of the API that were kept. */
export const RUN_OPERATIONS = [
  accountRoute({
    at: `POST ${runs}`,
    id: 'beginRun',
    summary: 'Begin a run of the playground, and follow it',
    description: RUN_STREAM,
    body: PlaygroundRequest,
    example: EXAMPLE,
    reply: TraceEvent,
    streams: 'always',
    run: async (deps, request, fields) => {
      const admitted = await openPlaygroundRun(deps, { ...request, fields });
      if (isRefusal(admitted)) return admitted;
      const { messages, sent, store: isStored, thread } = fields;
      const place = { thread: thread?.id ?? request.id, after: thread?.earlier.at(-1) };
      deps.keptRuns.play(admitted, { prompt: messages.message, request: keptRequest(sent), isStored, ...place });
      const reply = await eventsReply(deps.keptRuns, { ...request, resourceId: request.id, lastEventId: undefined });
      return isRefusal(reply) ? reply : { ...reply, headers: { ...reply.headers, ...admitted.headers } };
    },
  }),
  accountRoute({
    at: `POST ${runs}/plan`,
    id: 'planRun',
    summary: 'Tell what a run of the playground would call, cost and take; nothing is called',
    body: PlaygroundRequest,
    example: EXAMPLE,
    reply: Plan,
    // The plan knows nothing of files, which need not be sent.
    run: async (deps, request, fields) => {
      const planned = await planPlaygroundRun(deps, { ...request, fields });
      return isRefusal(planned) ? planned : { body: planBody(planned) };
    },
  }),
  accountRoute({
    at: `GET ${runs}`,
    id: 'listRuns',
    summary: 'List the runs that are kept, newest first',
    query: z.object({
      q: optional(words, 'Part of the beginning of the prompt, in any case.'),
      before: optional(z.string(), 'The `next` of the part before.'),
      limit: limit.default(LISTED).describe('How many at most.'),
    }),
    reply: RunList,
    run: async ({ keptRuns }, { userId }, { q: search = '', before, limit }) => {
      const page = await keptRuns.list(userId, { search, before, limit });
      return isRefusal(page) ? page : { body: { data: page.runs.map(summaryBody), next: page.next } };
    },
  }),
  accountRoute({
    at: `DELETE ${runs}`,
    id: 'deleteRuns',
    summary: 'Delete all runs that are kept; those under way are stopped',
    reply: RunsDeleted,
    run: async ({ keptRuns }, { userId }) => ({ body: { deleted: await keptRuns.delete(userId) } }),
  }),
  accountRoute({
    at: `GET ${one}`,
    id: 'getRun',
    summary: 'Give a run with its request',
    resource,
    reply: KeptRun,
    run: async ({ keptRuns }, request) => {
      const found = await keptRuns.read(refOf(request));
      if (isRefusal(found)) return found;
      return found ? askedRunReply(found) : refuseUnknownRun();
    },
  }),
  accountRoute({
    at: `DELETE ${one}`,
    id: 'deleteRun',
    summary: 'Delete a run; one under way is stopped',
    resource,
    reply: RunsDeleted,
    run: async ({ keptRuns }, request) => {
      const deleted = await keptRuns.delete(request.userId, request.resourceId);
      return deleted > 0 ? { body: { deleted } } : refuseUnknownRun();
    },
  }),
  accountRoute({
    at: `GET ${one}/thread`,
    id: 'listThread',
    summary: 'List the runs of the conversation that a run belongs to, oldest first',
    resource,
    reply: ThreadRuns,
    run: async ({ keptRuns }, request) => {
      const runs = await keptRuns.thread(refOf(request));
      return runs ? { body: { data: runs.map(summaryBody) } } : refuseUnknownRun();
    },
  }),
  accountRoute({
    at: `GET ${one}/evaluations`,
    id: 'listEvaluations',
    summary: 'Give what judges have found of a run, oldest first, as much as fits into a reply',
    resource,
    query: z.object({ from: from.default(0).describe('The place of the first: `next` of the part before.') }),
    reply: KeptEvaluations,
    run: async ({ keptRuns }, request, { from }) => {
      const page = await keptRuns.readEvaluations(refOf(request), from);
      if (page === undefined) return refuseUnknownRun();
      if (isRefusal(page)) return page;
      const { texts: bodies, release } = page;
      const next = bodies.length > 0 ? `,"next":${from + bodies.length}` : '';
      return { json: `{"data":[${bodies.join(',')}]${next}}`, release };
    },
  }),
  accountRoute({
    at: `GET ${one}/events`,
    id: 'followRun',
    summary: 'Follow a run from any of its events on',
    description: RUN_STREAM,
    resource,
    ...FOLLOWED,
    reply: TraceEvent,
    streams: 'always',
    run: async ({ keptRuns }, request, { after }) => eventsReply(keptRuns, { ...request, after }),
  }),
  accountRoute({
    at: `POST ${one}/stop`,
    id: 'stopRun',
    summary: 'Stop a run; what it has consumed is booked',
    resource,
    reply: RunStopped,
    run: async ({ keptRuns }, request) => {
      const stopped = await keptRuns.stop(refOf(request));
      return stopped ? { body: { id: stopped.runId, state: stopped.state } } : refuseUnknownRun();
    },
  }),
];

export function refOf({ userId, resourceId = '' }: AccountRequest): RunRef {
  return { userId, runId: resourceId };
}

function summaryBody(run: RunRecord): Sent<typeof RunSummary> {
  const { runId: id, startedAtMs, endpoint, prompt, strategy, rounds, models, state: standing, message } = run;
  const { promptTokens, completionTokens, costNanoUsd, calls, durationMs } = run;
  const { thread, after, rating, share } = run;
  const shared = share !== undefined;
  const sums = { promptTokens, completionTokens, costNanoUsd, calls, durationMs };
  const about = { id, startedAtMs, endpoint, prompt, strategy, rounds, models, thread, after, rating, shared };
  return { ...about, state: standing, message, ...sums };
}

/** A kept run with its request, which is not taken apart to be put together again. */
function askedRunReply({ run, request }: AskedRun): JsonTextReply {
  const head = JSON.stringify({ ...summaryBody(run), evaluationCount: run.evaluationCount });
  const fields = [head.slice(0, -1), ...request.texts.map((body) => `"request":${body}`)];
  return { json: `${fields.join(',')}}`, release: request.release };
}
