import type { TracedEvent } from '../../src/runs/trace-event';
import { startApp } from '../support/app';
import { LOCAL_USER, pageHeaders } from '../support/dashboard';
import { during } from '../support/during';
import { PLAIN } from '../support/scripted-models';
import { keptMax } from '../support/store-records';
import { textOfTokens } from '../support/text-of-tokens';
import { until } from '../support/until';

/** The runs of the playground: begun, left, followed again, stopped, listed and deleted over HTTP. */

const BODY = {
  model: 'demo-ada',
  messages: [{ role: 'user', content: 'Is a tomato\n a fruit?' }],
  ai_ensemble: { models: ['demo-ada', 'demo-curie'] },
};
const SLOW_MS = 5_000;
const UNKNOWN = { error: { message: 'Unknown run', type: 'invalid_request_error' } };

interface Summary {
  readonly id: string;
  readonly state: string;
  readonly prompt: string;
  readonly costNanoUsd: number;
  readonly calls: number;
}

const app = during('each', startApp);
beforeEach(async () => {
  await app.user(LOCAL_USER, 'pro');
});

function send(method: string, path: string, init: { body?: object; headers?: object; signal?: AbortSignal } = {}) {
  const { body, headers, signal } = init;
  return fetch(`${app.baseUrl}/dashboard/${path}`, {
    method,
    headers: { ...pageHeaders(app), 'content-type': 'application/json', ...headers },
    ...(body && { body: JSON.stringify(body) }),
    ...(signal && { signal }),
  });
}

const idOf = (response: Response): string => response.headers.get('x-request-id') ?? '';
const slowly = (): void => app.models.play((call) => ({ ...PLAIN(call), delayMs: SLOW_MS }));
const json = async <Body>(response: Promise<Response>): Promise<Body> => (await response).json() as Promise<Body>;
const listed = async () => (await json<{ data: Summary[] }>(send('GET', 'runs'))).data;
const month = async () => (await app.container.store.readMonths(LOCAL_USER, ['2026-01']))[0];

/** The events of a stream, whose ids must be their places. */
function eventsIn(wire: string): TracedEvent[] {
  return [...wire.matchAll(/^id: (\d+)\ndata: (.+)\n\n/gm)].map(([, id, data = '']) => {
    const event: TracedEvent = JSON.parse(data);
    expect(event.seq).toBe(Number(id));
    return event;
  });
}

/** Lets the models write that have been asked: two drafts, then the answer. */
async function letModelsWrite(from = 0): Promise<void> {
  for (const calls of [from + 2, from + 3]) {
    await until(() => app.models.calls.length === calls);
    await app.clock.advance(SLOW_MS);
  }
}

async function begun(fields: object = {}) {
  const response = await send('POST', 'runs', { body: { ...BODY, ...fields } });
  const events = eventsIn(await response.text());
  return { id: idOf(response), events };
}

describe('a run of the playground', () => {
  it('is streamed from its beginning to its end, under its request id, and booked as the trace says', async () => {
    const { id, events } = await begun();
    expect(events[0]).toMatchObject({ type: 'run', runId: id, seq: 0 });
    expect(events.map(({ seq }) => seq)).toEqual(events.map((_, at) => at));
    const end = events.at(-1);
    // Two drafts and the answer.
    expect(end).toMatchObject({ type: 'end', outcome: 'complete', calls: 3 });
    const booked = await month();
    expect(end).toMatchObject({ promptTokens: booked?.promptTokens, costNanoUsd: booked?.costNanoUsd });
    expect(booked?.keys).toMatchObject([{ id: 'playground', requests: 1 }]);
  });

  it('is found again with its request and the same events, files without their data', async () => {
    const file = { name: 'a.json', media_type: 'application/json', data: Buffer.from('{"a":1}').toString('base64') };
    const { id, events } = await begun({ attachments: [file] });
    const kept = await json<{ request: object; evaluationCount: number }>(send('GET', `runs/${id}`));
    expect(eventsIn(await (await send('GET', `runs/${id}/events`)).text())).toEqual(events);
    expect(kept.evaluationCount).toBe(0);
    const { data: _, ...shown } = file;
    expect(kept.request).toEqual({ ...BODY, attachments: [{ ...shown, bytes: 7 }] });
    expect(await listed()).toMatchObject([{ id, state: 'complete', prompt: 'Is a tomato a fruit?', calls: 3 }]);
  });

  it('goes on when its client leaves, and is followed again without a lost or doubled event', async () => {
    slowly();
    const gone = new AbortController();
    const response = await send('POST', 'runs', { body: BODY, signal: gone.signal });
    const id = idOf(response);
    gone.abort();
    const again = await send('GET', `runs/${id}/events`, { headers: { 'last-event-id': '1' } });
    await letModelsWrite();
    const events = eventsIn(await again.text());
    expect(events.map(({ seq }) => seq)).toEqual(events.map((_, at) => at + 2));
    expect(events.at(-1)).toMatchObject({ type: 'end', outcome: 'complete' });
    const whole = eventsIn(await (await send('GET', `runs/${id}/events`)).text());
    expect(whole.slice(2)).toEqual(events);
  });

  it('is stopped by its user: what runs is ended, and what was consumed is booked', async () => {
    slowly();
    const response = await send('POST', 'runs', { body: BODY });
    const id = idOf(response);
    await until(() => app.models.calls.length === 2);
    expect(await json(send('POST', `runs/${id}/stop`))).toEqual({ id, state: 'stopped' });
    expect(app.models.calls.every(({ signal }) => signal.aborted)).toBe(true);
    const end = eventsIn(await response.text()).at(-1);
    expect(end).toMatchObject({ type: 'end', outcome: 'stopped' });
    expect(end).toMatchObject({ costNanoUsd: (await month())?.costNanoUsd });
    expect(await json(send('POST', `runs/${id}/stop`))).toEqual({ id, state: 'stopped' });
  });

  it('with store: false is kept nowhere, and stopped when its client leaves', async () => {
    slowly();
    const gone = new AbortController();
    const response = await send('POST', 'runs', { body: { ...BODY, store: false }, signal: gone.signal });
    await until(() => app.models.calls.length === 2);
    expect(await listed()).toEqual([]);
    gone.abort();
    await until(() => app.models.calls.every(({ signal }) => signal.aborted));
    await until(async () => (await send('GET', `runs/${idOf(response)}`)).status === 404);
  });
});

describe('the list of runs', () => {
  it('is newest first, in parts, and searched in prompts whatever their case', async () => {
    const ids: string[] = [];
    for (const content of ['Alpha', 'beta', 'ALPHABET']) {
      ids.unshift((await begun({ messages: [{ role: 'user', content }] })).id);
      await app.clock.advance(1_000);
    }
    const part = await json<{ data: Summary[]; next: string }>(send('GET', 'runs?limit=2'));
    const rest = await json<{ data: Summary[]; next?: string }>(send('GET', `runs?limit=2&before=${part.next}`));
    expect([...part.data, ...rest.data].map(({ id }) => id)).toEqual(ids);
    expect(rest.next).toBeUndefined();
    const found = await json<{ data: Summary[] }>(send('GET', 'runs?q=alpha'));
    expect(found.data.map(({ prompt }) => prompt)).toEqual(['ALPHABET', 'Alpha']);
  });

  it.each(['limit=0', 'limit=101', 'limit=x', 'before=x', `q=${'x'.repeat(201)}`])('refuses %s', async (query) => {
    const refused = await send('GET', `runs?${query}`);
    const text = expect.stringContaining(`Invalid ${query.split('=')[0]}`);
    expect([refused.status, await refused.text()]).toEqual([400, text]);
  });
});

describe('a conversation', () => {
  const threadOf = async (id: string) => (await json<{ data: Summary[] }>(send('GET', `runs/${id}/thread`))).data;

  it('is found from each of its runs, oldest first, with what each goes on from, and no run of another', async () => {
    const { id: first } = await begun();
    await app.clock.advance(1_000);
    await begun();
    const { id: second } = await begun({ thread: { id: first, earlier: [first] } });
    await app.clock.advance(1_000);
    // The first message once more, in other words.
    const { id: other } = await begun({ thread: { id: first, earlier: [] } });
    for (const id of [first, second, other]) {
      const runs = (await threadOf(id)).map((run) => ({ ...run, after: 'after' in run ? run.after : undefined }));
      expect(runs).toMatchObject([
        { id: first, thread: first, after: undefined, calls: 3 },
        { id: second, thread: first, after: first },
        { id: other, thread: first, after: undefined },
      ]);
    }
    const kept = await json<{ request: object }>(send('GET', `runs/${second}`));
    expect(kept.request).toMatchObject({ thread: { id: first, earlier: [first] } });
  });

  it('has the run that is under way, and loses what is deleted', async () => {
    const { id: first } = await begun();
    slowly();
    const response = await send('POST', 'runs', { body: { ...BODY, thread: { id: first, earlier: [first] } } });
    await until(() => app.models.calls.length === 5);
    expect(await threadOf(idOf(response))).toMatchObject([{ id: first }, { id: idOf(response), state: 'running' }]);
    await send('DELETE', `runs/${first}`);
    expect(await threadOf(idOf(response))).toMatchObject([{ id: idOf(response) }]);
    await send('POST', `runs/${idOf(response)}/stop`);
  });
});

describe('a rating', () => {
  const rate = (id: string, body: object) => send('PUT', `runs/${id}/rating`, { body });
  const kept = async (id: string) => (await json<{ rating?: object }>(send('GET', `runs/${id}`))).rating;

  it('is kept with its run and its summary, replaced by the next one, and removed by an empty one', async () => {
    const { id } = await begun();
    const opinion = { answer: 'bad', better: 'p2', words: 'It left out the dates.' };
    expect(await json(rate(id, opinion))).toEqual({ rating: opinion });
    expect([await kept(id), await listed()]).toMatchObject([opinion, [{ id, rating: opinion }]]);
    await rate(id, { answer: 'good' });
    expect(await kept(id)).toEqual({ answer: 'good' });
    expect(await json(rate(id, { better: null }))).toEqual({});
    expect(await kept(id)).toBeUndefined();
  });

  it.each([
    ['answer', { answer: 'great' }],
    ['better', { better: 'arbiter' }],
    ['better', { better: 'p100' }],
    ['words', { words: 'x'.repeat(201) }],
    ['words', { words: 'a\u0007b' }],
  ])('with a wrong %s is refused, and the one before stays: %j', async (field, body) => {
    const { id } = await begun();
    await rate(id, { answer: 'good' });
    const refused = await rate(id, body);
    const words = expect.stringContaining(`Invalid ${field}: `);
    expect([refused.status, await refused.text(), await kept(id)]).toEqual([400, words, { answer: 'good' }]);
  });
});

/** Keeps a run of the user for another one as well. */
async function keepFor(owner: { userId: string; runId: string }, runId: string): Promise<void> {
  const { store } = app.container;
  const run = await store.findRun({ userId: LOCAL_USER, runId });
  await store.createRun({ ...run, ...owner } as never, new Uint8Array([1]), keptMax());
}

describe('what is deleted', () => {
  it('is gone from the store, with its request and its events; what it has cost is not', async () => {
    const { id } = await begun();
    const cost = (await month())?.costNanoUsd;
    expect(await json(send('DELETE', `runs/${id}`))).toEqual({ deleted: 1 });
    const ref = { userId: LOCAL_USER, runId: id };
    const { store } = app.container;
    const parts = (['request', 'events'] as const).map((part) => store.readPart(ref, part, 0));
    expect(await Promise.all([store.findRun(ref), ...parts])).toEqual([undefined, undefined, undefined]);
    expect((await month())?.costNanoUsd).toBe(cost);
  });

  it('is all of a user’s, also what is under way, and nothing of others', async () => {
    const other = { userId: 'alice', runId: 'a'.repeat(32) };
    await keepFor(other, (await begun()).id);
    slowly();
    const running = await send('POST', 'runs', { body: BODY });
    await until(() => app.models.calls.length === 5);
    expect((await json<{ deleted: number }>(send('DELETE', 'runs'))).deleted).toBeGreaterThanOrEqual(1);
    expect(eventsIn(await running.text()).at(-1)).toMatchObject({ outcome: 'stopped' });
    expect(await listed()).toEqual([]);
    expect(await app.container.store.findRun(other)).toMatchObject(other);
  });
});

describe('runs of others, and ids of nobody', () => {
  it.each([
    ['of another user', 'b'.repeat(32)],
    ['of nobody', 'c'.repeat(32)],
    ['of no form', 'A-run.1'],
    ['of a thousand characters', 'd'.repeat(1_000)],
  ])('%s are the same 404 to whoever reads, follows, stops or deletes them', async (what, id) => {
    const { id: own } = await begun();
    if (what === 'of another user') {
      await keepFor({ userId: 'alice', runId: id }, own);
    }
    const path = `runs/${encodeURIComponent(id)}`;
    for (const route of [
      'GET ',
      'DELETE ',
      'GET /events',
      'GET /evaluations',
      'GET /thread',
      'PUT /rating',
      'POST /stop',
    ]) {
      const [method = '', behind = ''] = route.split(' ');
      const reply = await send(method, path + behind, method === 'PUT' ? { body: { answer: 'good' } } : {});
      expect([method, behind, reply.status, await reply.json()]).toEqual([method, behind, 404, UNKNOWN]);
    }
    if (what === 'of another user') {
      expect(await app.container.store.findRun({ userId: 'alice', runId: id })).toMatchObject({ stopRequested: false });
    }
  });
});

describe('the monthly grant of a run of the playground', () => {
  const GRANT = 300_000;

  it('stops the reply while it streams; what came is kept and booked, and the end says why', async () => {
    await app.user(LOCAL_USER, 'byok');
    const single = { model: 'demo-ada', ai_ensemble: { models: ['demo-ada'] } };
    app.models.play(() => ({ text: 'Yes.', usage: { promptTokens: GRANT - 4_000, completionTokens: 1 } }));
    await begun(single);
    await app.clock.advance(60_000);
    app.models.play(() => ({ text: textOfTokens(100), endless: true }));
    const { events } = await begun(single);
    const end = events.at(-1);
    const message = expect.stringContaining('token grant used up');
    expect(end).toMatchObject({ type: 'end', outcome: 'failed', message });
    const written = events.flatMap((event) => (event.type === 'answer' ? [event.text] : [])).join('');
    expect(written).toBe(textOfTokens(100).repeat(written.length / textOfTokens(100).length));
    // 100 tokens said over and over, and one of the run before.
    const completionTokens = (written.length / textOfTokens(100).length) * 100 + 1;
    const of = { userId: LOCAL_USER, month: '2026-01' };
    const { usedTokens, leasedTokens } = await app.container.store.readGrant(of, app.clock.nowMs());
    expect([usedTokens > GRANT, leasedTokens]).toEqual([true, 0]);
    const booked = await month();
    expect(booked?.completionTokens).toBe(completionTokens);
    expect((booked?.promptTokens ?? 0) + completionTokens).toBe(usedTokens);
  });
});

describe('the plan of a run of the playground', () => {
  it('tells what the same request would call, and calls, books and takes nothing', async () => {
    // Two participants in two rounds, an analysis, an answer.
    const options = { models: ['demo-ada', 'demo-curie'], rounds: 2, includeReasoning: true };
    const body = { ...BODY, ai_ensemble: options };
    for (let count = 0; count < 12; count += 1) {
      expect(await json<{ calls: number }>(send('POST', 'runs/plan', { body }))).toMatchObject({ calls: 2 * 2 + 2 });
    }
    expect([app.models.calls, await month()]).toEqual([[], undefined]);
  });

  it('names a router model that was not added', async () => {
    const unknown = await send('POST', 'runs/plan', { body: { ...BODY, model: 'owl/eagle-1' } });
    expect([unknown.status, await unknown.text()]).toEqual([400, expect.stringContaining('add it to your router')]);
  });
});

it('a first run is suggested with models that are there, and prompts', async () => {
  const body = await json<{ models: { id: string }[]; suggestions: Record<string, string[]> }>(send('GET', 'models'));
  const { prompts, participants = [], arbiter, scripted, graceSeconds } = body.suggestions;
  const ids = body.models.map(({ id }) => id);
  expect([arbiter, scripted, graceSeconds]).toEqual(['demo-ada', true, 3]);
  expect(prompts?.length).toBeGreaterThan(2);
  expect(participants).toEqual(['demo-ada', 'demo-slow', 'demo-unreliable', 'demo-dissenter']);
  expect(ids).toEqual(expect.arrayContaining(participants));
});
