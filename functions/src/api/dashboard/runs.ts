import { isRefusal, refuse } from '../../errors';
import type { Reply } from '../../http/reply';
import type { AccountRequest, AccountRoute } from '../../http/route';
import type { RunRef } from '../../runs/run-store';
import { planBody } from '../answer/plan-body';
import { openPlaygroundRun, planPlaygroundRun } from '../playground/playground';
import type { PlaygroundDeps } from '../playground/playground-deps';
import { playgroundSchema } from '../playground/request';
import { readBody, readSent } from '../read-body';
import { eventsReply } from '../runs/events-reply';
import { keptRequest } from '../runs/kept-request';
import { refuseUnknownRun } from '../runs/unknown-run';
import { askedRunReply, evaluationsReply, summaryBody } from './run-replies';

const LISTED = 30;
const LISTED_MAX = 100;
const WORDS_CHARACTERS_MAX = 200;
/** The playground: runs of the user's own making, and those of the API that were kept. */
export function runRoutes(deps: PlaygroundDeps): AccountRoute[] {
  const runs = '/dashboard/runs';
  const run = `${runs}/{id}` as const;
  return [
    { method: 'POST', path: runs, handle: (request) => begin(deps, request) },
    { method: 'POST', path: `${runs}/plan`, handle: (request) => plan(deps, request) },
    { method: 'GET', path: runs, handle: (request) => list(deps, request) },
    { method: 'DELETE', path: runs, handle: (request) => deleteAll(deps, request) },
    { method: 'GET', path: run, handle: (request) => read(deps, request) },
    { method: 'DELETE', path: run, handle: (request) => deleteOne(deps, request) },
    { method: 'GET', path: `${run}/evaluations`, handle: (request) => evaluations(deps, request) },
    { method: 'GET', path: `${run}/events`, handle: (request) => eventsReply(deps.keptRuns, request) },
    { method: 'POST', path: `${run}/stop`, handle: (request) => stop(deps, request) },
  ];
}

/** Begins a run, and follows it to its end. */
async function begin(deps: PlaygroundDeps, request: AccountRequest): Promise<Reply> {
  const fields = await readSent(request, playgroundSchema);
  if (isRefusal(fields)) return fields;
  const admitted = await openPlaygroundRun(deps, { ...request, fields });
  if (isRefusal(admitted)) return admitted;
  const { keptRuns } = deps;
  keptRuns.play(admitted, {
    prompt: fields.messages.message,
    request: keptRequest(fields.sent),
    isStored: fields.store,
  });
  const reply = await eventsReply(keptRuns, { ...request, resourceId: request.id, lastEventId: undefined });
  return isRefusal(reply) ? reply : { ...reply, headers: { ...reply.headers, ...admitted.headers } };
}

/** What a run would call, cost and take. Its files, of which the plan knows nothing, need not be sent. */
async function plan(deps: PlaygroundDeps, request: AccountRequest): Promise<Reply> {
  const fields = await readBody(request, playgroundSchema);
  if (isRefusal(fields)) return fields;
  const planned = await planPlaygroundRun(deps, { ...request, fields });
  return isRefusal(planned) ? planned : { body: planBody(planned) };
}

async function list({ keptRuns }: PlaygroundDeps, { userId, query }: AccountRequest): Promise<Reply> {
  const search = query.get('q') ?? '';
  if (search.length > WORDS_CHARACTERS_MAX) {
    return refuse('invalid_request', `Invalid q: must have at most ${WORDS_CHARACTERS_MAX} characters`);
  }
  const limit = Number(query.get('limit') ?? LISTED);
  if (!Number.isInteger(limit) || limit < 1 || limit > LISTED_MAX) {
    return refuse('invalid_request', `Invalid limit: must be an integer from 1 to ${LISTED_MAX}`);
  }
  const page = await keptRuns.list(userId, { search, before: query.get('before') ?? undefined, limit });
  if (isRefusal(page)) return page;
  return { body: { data: page.runs.map(summaryBody), next: page.next } };
}

async function read({ keptRuns }: PlaygroundDeps, request: AccountRequest): Promise<Reply> {
  const found = await keptRuns.read(refOf(request));
  if (isRefusal(found)) return found;
  return found ? askedRunReply(found) : refuseUnknownRun();
}

async function evaluations({ keptRuns }: PlaygroundDeps, request: AccountRequest): Promise<Reply> {
  const from = Number(request.query.get('from') ?? 0);
  if (!Number.isInteger(from) || from < 0) return refuse('invalid_request', 'Invalid from: must be a whole number');
  const page = await keptRuns.readEvaluations(refOf(request), from);
  if (page === undefined) return refuseUnknownRun();
  return isRefusal(page) ? page : evaluationsReply(page, from);
}

async function stop({ keptRuns }: PlaygroundDeps, request: AccountRequest): Promise<Reply> {
  const stopped = await keptRuns.stop(refOf(request));
  return stopped ? { body: { id: stopped.runId, state: stopped.state } } : refuseUnknownRun();
}

async function deleteOne({ keptRuns }: PlaygroundDeps, request: AccountRequest): Promise<Reply> {
  const { userId, runId } = refOf(request);
  const deleted = await keptRuns.delete(userId, runId);
  return deleted > 0 ? { body: { deleted } } : refuseUnknownRun();
}

async function deleteAll({ keptRuns }: PlaygroundDeps, { userId }: AccountRequest): Promise<Reply> {
  return { body: { deleted: await keptRuns.delete(userId) } };
}

function refOf({ userId, resourceId = '' }: AccountRequest): RunRef {
  return { userId, runId: resourceId };
}
