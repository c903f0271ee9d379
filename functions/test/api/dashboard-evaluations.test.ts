import { createHash } from 'node:crypto';
import { addRouterModels, saveRouterKey } from '../../src/byok/router';
import { answer, judges, QUESTION, startApp } from '../support/app';
import { ask, eventsIn, LOCAL_USER, pageHeaders } from '../support/dashboard';
import { during } from '../support/during';
import { sendStatus, startFakeUpstream } from '../support/fake-upstream';
import { allAt, judgeScript, verdictOf } from '../support/judges';
import { sendAnswer, sendRouterList } from '../support/playground';
import { demoScript } from '../support/scripted-models';
import { until } from '../support/until';
import type { WireEvaluations } from '../support/wire';

/** `POST /dashboard/evaluations`: the evaluations of the playground, told judge by judge. */

const BODY = { prompt: QUESTION, responses: [answer('a', 'Yes.'), answer('b', 'No.')], judge_models: judges('x') };
const MONTH = { userId: LOCAL_USER, month: '2026-01' };

interface Told extends Partial<WireEvaluations> {
  readonly type: string;
  readonly judge?: { readonly index: number; readonly id: string };
  readonly response?: number;
  readonly round?: number;
  readonly state?: string;
  readonly overallScore?: number;
  readonly reasoning?: string;
  readonly reason?: string;
  readonly message?: string;
}

const router = during('all', startFakeUpstream);
const app = during('all', () => startApp({ env: { ROUTER_BASE_URL: `${router.url}/api/v1` } }));
beforeEach(async () => {
  app.models.reset();
  await onPlan('byok');
  await app.clock.advance(60_000);
});

const onPlan = (tier: string) => {
  const sourceUpdatedAtMs = app.clock.nowMs();
  return app.container.store.putSubscription({ userId: LOCAL_USER, tier, status: 'active', sourceUpdatedAtMs });
};
const evaluate = (fields: object = {}) =>
  ask<{ error: { message: string } }>(app, { method: 'POST', path: 'evaluations', body: { ...BODY, ...fields } });
const told = async (fields?: object): Promise<Told[]> => eventsIn<Told>((await evaluate(fields)).text);
const refusal = async (fields: object) => {
  const { status, body } = await evaluate(fields);
  return [status, body.error.message];
};
/** Prompt tokens of all that the user has run this month. */
const promptTokens = async (): Promise<number> => {
  const [month] = await app.container.store.readMonths(LOCAL_USER, [MONTH.month]);
  return month?.promptTokens ?? 0;
};
const grant = () => app.container.store.readGrant(MONTH, app.clock.nowMs());

describe('an evaluation of the playground', () => {
  it('tells each judge and each response as it begins and ends, and then the result of /v1/evaluations', async () => {
    const script = judgeScript({ x: () => allAt(6), y: ({ response }) => allAt(response === 'Yes.' ? 9 : 3) });
    app.models.play(script);
    // The last one is a model that nobody knows.
    const fields = { judge_models: judges('x', 'y', 'z') };
    const events = await told(fields);
    const lines = events.slice(0, -1).map(({ judge, response, state, overallScore, reason = '' }) => {
      return [judge?.index, judge?.id, response, state, overallScore ?? reason].join(' ').trim();
    });
    expect(lines.toSorted()).toEqual(
      [
        ...['0 x 0 started', '0 x 1 started', '1 y 0 started', '1 y 1 started', '2 z 0 started', '2 z 1 started'],
        ...['0 x 0 done 6', '0 x 1 done 6', '1 y 0 done 9', '1 y 1 done 3'],
        ...['2 z 0 failed not found', '2 z 1 failed not found'],
      ].toSorted(),
    );
    expect(lines.indexOf('0 x 0 started')).toBeLessThan(lines.indexOf('0 x 0 done 6'));
    const { type, ...result } = events.at(-1) ?? { type: '' };
    app.models.play(script);
    expect([type, result]).toEqual(['result', (await app.evaluate({ ...BODY, ...fields })).body]);
  });

  it('tells of second looks at contested responses, and once of a judge that is asked again', async () => {
    let calls = 0;
    const contest = (first: number) => (shown: { response: string; yours?: unknown }) =>
      allAt(!shown.yours && shown.response === 'No.' ? first : 7);
    const script = judgeScript({ x: contest(3), y: contest(8) });
    app.models.play((call) => {
      calls += 1;
      return calls === 1 ? { text: 'Hm.' } : script(call);
    });
    const events = await told({ strategy: 'competitive_refinement', judge_models: judges('x', 'y') });
    const lines = events
      .slice(0, -1)
      .map(({ round, judge, response, state }) => [round, judge?.id, response, state].join(' '));
    const of = (round: number, response: number) =>
      ['x', 'y'].flatMap((id) => ['done', 'started'].map((state) => [round, id, response, state].join(' ')));
    expect(lines.toSorted()).toEqual([...of(1, 0), ...of(1, 1), ...of(2, 1)].toSorted());
  });

  it('goes on telling while other judges still think, and bridges their silence', async () => {
    app.models.play((call) => ({
      text: verdictOf(call, () => allAt(5)),
      delayMs: call.providerModel === 'y' ? 25_000 : 0,
    }));
    const body = JSON.stringify({ ...BODY, judge_models: judges('x', 'y') });
    const headers = { 'content-type': 'application/json', ...pageHeaders(app) };
    const response = await fetch(`${app.baseUrl}/dashboard/evaluations`, { method: 'POST', headers, body });
    let text = '';
    const reading = (async () => {
      for await (const piece of response.body ?? []) text += Buffer.from(piece).toString();
    })();
    await until(() => eventsIn<Told>(text).filter(({ state }) => state === 'done').length === 2);
    await app.clock.advance(10_000);
    await until(() => text.includes(': alive\n\n'));
    await app.clock.advance(15_000);
    await reading;
    expect(eventsIn<Told>(text).at(-1)?.type).toBe('result');
  });

  it('stops its judges and books what they took when its client leaves', async () => {
    app.models.play(() => ({ text: 'x'.repeat(10), delayMs: 60_000 }));
    const leaving = new AbortController();
    const headers = { 'content-type': 'application/json', ...pageHeaders(app) };
    const sent = { method: 'POST', headers, body: JSON.stringify(BODY), signal: leaving.signal };
    const response = await fetch(`${app.baseUrl}/dashboard/evaluations`, sent);
    await until(() => app.models.calls.length === 1);
    const before = await promptTokens();
    leaving.abort();
    await response.text().catch(() => 'left');
    await until(async () => {
      await app.clock.advance(500);
      return app.models.calls[0]?.signal.aborted === true && (await grant()).leasedTokens === 0;
    });
    expect(await promptTokens()).toBeGreaterThan(before);
  });
});

describe('an evaluation of a kept run', () => {
  interface Evaluations {
    readonly data: readonly object[];
    readonly next?: number;
  }
  const read = async (runId: string, from = 0) =>
    (await ask<Evaluations>(app, { path: `runs/${runId}/evaluations?from=${from}` })).body;
  const begin = async (): Promise<string> => {
    const body = { model: 'demo-ada', messages: [{ role: 'user', content: QUESTION }] };
    const { headers } = await ask(app, { method: 'POST', path: 'runs', body });
    return String(headers['x-request-id']);
  };

  it('is kept with it as it was told, but for the judged texts, which are named by their hashes', async () => {
    const runId = await begin();
    const { type, ...result } = (await told({ runId })).at(-1) ?? { type: '' };
    const { evaluations, ...rest } = result as unknown as { evaluations: readonly { response: string }[] };
    const hashOf = (text: string) => createHash('sha256').update(text).digest('hex');
    const hashed = evaluations.map((one) => ({ ...one, response: hashOf(one.response) }));
    expect([type, (await read(runId)).data]).toEqual(['result', [{ ...rest, evaluations: hashed }]]);
  });

  it('is given out in parts of a megabyte, oldest first, to an end without a next', async () => {
    const runId = await begin();
    const ref = { userId: LOCAL_USER, runId };
    const { keptRuns } = app.container.account;
    for (let count = 0; count < 5; count += 1) {
      await keptRuns.addEvaluation(ref, { count, reasons: 'x'.repeat(400_000) });
    }
    const counts = ({ data, next }: Evaluations) => [data.map((one) => (one as { count: number }).count), next];
    expect(counts(await read(runId))).toEqual([[0, 1, 2], 3]);
    expect(counts(await read(runId, 3))).toEqual([[3, 4], 5]);
    expect(await read(runId, 5)).toEqual({ data: [] });
    for (const from of ['-1', 'x', '1.5']) {
      const { status } = await ask(app, { path: `runs/${runId}/evaluations?from=${from}` });
      expect([from, status]).toEqual([from, 400]);
    }
  });

  it('is refused before any judge is asked once 20 are kept with the run', async () => {
    const runId = await begin();
    const ref = { userId: LOCAL_USER, runId };
    for (let count = 0; count < 19; count += 1) await app.container.account.keptRuns.addEvaluation(ref, { count });
    expect((await told({ runId })).at(-1)?.type).toBe('result');
    app.models.reset();
    const message =
      'Invalid runId: 20 evaluations are kept with this run already; leave it away to evaluate without keeping';
    expect(await refusal({ runId })).toEqual([400, message]);
    expect(app.models.calls).toEqual([]);
    expect((await read(runId)).data).toHaveLength(20);
    expect((await ask<object>(app, { path: `runs/${runId}` })).body).toMatchObject({ evaluationCount: 20 });
  });

  it.each(['f'.repeat(32), '../x', '', 'x'.repeat(10_000)])(
    'is refused for a run that is none of the user’s (%#), before any judge is asked',
    async (runId) => {
      expect(await refusal({ runId })).toEqual([404, 'Unknown run']);
      expect(app.models.calls).toEqual([]);
    },
  );
});

describe('what an evaluation takes of the monthly grant', () => {
  const spend = (promptTokens: number) =>
    app.models.play((call) => ({
      text: verdictOf(call, () => allAt(5)),
      usage: { promptTokens, completionTokens: 10 },
    }));

  it('is what its platform judges took; router judges are asked with their user’s key and take none', async () => {
    router.willReply(sendStatus(200, {}), sendRouterList);
    const { account } = app.container;
    await saveRouterKey(account, { userId: LOCAL_USER, key: 'sk-or-v1-the-key-of-uma-0001' });
    await addRouterModels(account, { userId: LOCAL_USER, slugs: ['owl/eagle-1'] });
    const { usedTokens: before } = await grant();
    // No verdict, and it is asked once more to repair that.
    router.willReply(sendAnswer('I like the first.'), sendAnswer('I like the first.'));
    spend(90);
    const events = await told({ judge_models: judges('owl/eagle-1', 'x') });
    const ended = events.filter(({ state }) => state === 'done' || state === 'failed');
    expect(ended.map(({ judge, state, reason }) => [judge?.id, state, reason]).toSorted()).toEqual([
      ['owl/eagle-1', 'failed', 'unusable output'],
      ['owl/eagle-1', 'failed', 'unusable output'],
      ['x', 'done', undefined],
      ['x', 'done', undefined],
    ]);
    const asked = router.requests.filter(({ method }) => method === 'POST');
    expect(asked.map(({ headers }) => headers.authorization)).toEqual(
      Array(asked.length).fill('Bearer sk-or-v1-the-key-of-uma-0001'),
    );
    expect(await grant()).toEqual({ usedTokens: before + 100, leasedTokens: 0 });
  });
});

describe('the demo judges', () => {
  beforeEach(() => onPlan('pro'));

  it('differ from each other, and say that they follow a script', async () => {
    app.models.play(demoScript);
    const events = await told({
      responses: [answer('a', 'Yes.'), answer('b', 'No.')],
      judge_models: judges('demo-ada', 'demo-blaise', 'demo-curie', 'demo-dissenter'),
    });
    const done = events.filter(({ state }) => state === 'done');
    expect(done).toHaveLength(8);
    for (const { reasoning } of done) expect(reasoning).toContain('no language model was called');
    const of = (response: number) => done.filter((event) => event.response === response);
    expect(new Set(of(0).map(({ overallScore }) => overallScore)).size).toBeGreaterThanOrEqual(3);
  });
});
