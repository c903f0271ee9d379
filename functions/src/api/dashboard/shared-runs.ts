import { hash, randomBytes } from 'node:crypto';
import * as z from 'zod';
import { RequestBucket } from '../../access/limiter';
import { isRefusal, refuse } from '../../errors';
import type { OpenRoute } from '../../http/route';
import { flag, list, mapOf, named, text } from '../../lib/reply-schemas';
import { TraceEvent } from '../../runs/trace-event';
import type { DashboardDeps } from '../deps';
import { accountRoute, type Described } from '../shared/operation';
import { refuseUnknownRun } from '../v1/run-events';
import { refOf } from './runs';

const TOKEN_BYTES = 24;
const HEADERS = { 'referrer-policy': 'no-referrer', 'x-robots-tag': 'noindex' };
const UNKNOWN = refuse('not_found', 'No run is shared by this link: it may have been ended', HEADERS);
/** Fields of a request that anybody may know: clients put their users' names into others. */
const TOLD = ['model', 'messages', 'temperature', 'top_p', 'ai_ensemble', 'attachments'];

const RunLink = named('RunLink', () =>
  z.object({ shared: flag('Whether there is a link.'), token: text('It is told once: `/shared/TOKEN`.').optional() }),
);
const SharedRun = named('SharedRun', () =>
  z.object({
    prompt: text('Its beginning.'),
    request: mapOf(z.unknown(), 'What was asked, where that was in the playground.').optional(),
    events: list(TraceEvent, 'From its beginning to its end.'),
  }),
);

const link = { at: '/dashboard/runs/{id}/share', resource: 'The id of a run.', reply: RunLink } as const;

/** Links by which anybody reads a run, of which the hash alone is kept. */
export const LINK_OPERATIONS = [
  accountRoute({
    ...{ ...link, at: `PUT ${link.at}`, id: 'shareRun' },
    summary: 'Make a link by which anybody may read a run that is over; an earlier one ends',
    run: async ({ keptRuns, store, runLinks }, request) => {
      const run = await keptRuns.find(refOf(request));
      if (!runLinks) return refuse('not_found', 'This server makes no links to runs');
      if (run?.state === 'running') return refuse('invalid_request', 'The run is not over yet');
      const token = randomBytes(TOKEN_BYTES).toString('base64url');
      const isShared = run && (await store.shareRun(run, hashOf(token)));
      return isShared ? { body: { shared: true, token } } : refuseUnknownRun();
    },
  }),
  accountRoute({
    ...{ ...link, at: `DELETE ${link.at}`, id: 'endLink', summary: 'End the link to a run' },
    run: async ({ keptRuns, store }, request) => {
      const run = await keptRuns.find(refOf(request));
      return run && (await store.shareRun(run)) ? { body: { shared: false } } : refuseUnknownRun();
    },
  }),
];

export const readSharedRun: Described = {
  ...{ at: 'GET /dashboard/shared/{id}', id: 'readSharedRun', tag: 'Dashboard', access: 'open', reply: SharedRun },
  ...{ summary: 'Give a run to whoever has its link', resource: 'The token of a link.', failures: [404, 429] },
};

/** A link that was ended is like one that never was. Each network has as many requests as a user of the dashboard. */
export function sharedRunRoute({ keptRuns, store, runLinks, clock }: DashboardDeps): OpenRoute {
  const bucket = new RequestBucket(clock);
  return {
    path: '/dashboard/shared/{id}',
    handle: async (_query, _headers, path, network = '') => {
      const refusal = bucket.refusal(network);
      bucket.take(network);
      if (refusal) return refusal;
      const found = runLinks ? await store.findShared(hashOf(path.slice(path.lastIndexOf('/') + 1))) : undefined;
      const whole = found && (await keptRuns.readWhole(found));
      if (!whole) return UNKNOWN;
      if (isRefusal(whole)) return whole;
      const [request = '{}', ...events] = whole.texts;
      const about = JSON.stringify({ prompt: found.prompt, request: toldOf(found.endpoint, request) });
      const json = `${about.slice(0, -1)},"events":[${events.join('\n').replaceAll('\n', ',')}]}`;
      return { json, headers: HEADERS, release: whole.release };
    },
  };
}

function hashOf(token: string): string {
  return hash('sha256', token, 'hex');
}

function toldOf(endpoint: string, request: string): object | undefined {
  if (endpoint !== 'playground') return undefined;
  return Object.fromEntries(Object.entries(JSON.parse(request) as object).filter(([name]) => TOLD.includes(name)));
}
