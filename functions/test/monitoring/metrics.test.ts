import { reconcileAndLog, sweepAndLog } from '../../src/ledger/housekeeping';
import { createLog } from '../../src/lib/log';
import { ModelFault } from '../../src/models/model';
import type { Store } from '../../src/store/store';
import { type App, type AppOptions, CHAT_PATH, startApp } from '../support/app';
import { fakeClock } from '../support/fake-clock';
import { callRow, openRow, rateLimit, reservation, settlement, T0 } from '../support/store-records';
import { entryOf, type LogEntry } from './log-entry';
import { logFilter } from './log-filter';
import { count, logMetrics, monitoringFiles } from './log-metric';

/** The service in each situation that an alert is for: what the metrics make of the lines that it really writes. */

const MINUTE_MS = 60_000;
const METRICS = logMetrics();
const QUESTION = [{ role: 'user', content: 'Why?' }];
const OK_REQUEST = { labels: { status: '200', endpoint: 'chat.completions', strategy: 'pass_through' } };
const PLAIN_LABELS = { endpoint: 'chat.completions', strategy: 'pass_through' };

/** What every metric counts of these lines; those that count nothing are left away. */
function counted(lines: readonly string[], service = 'api') {
  const entries = lines.map((line) => entryOf(line, service));
  const all = METRICS.map((metric) => [metric.name, count(metric, entries)] as const);
  return Object.fromEntries(all.filter(([, found]) => found.length > 0));
}

/** The lines of a service that was used like this. */
async function linesOf(use: (app: App) => Promise<unknown>, options: AppOptions = {}): Promise<readonly string[]> {
  await using app = await startApp(options);
  app.logLines.length = 0;
  await use(app);
  return [...app.logLines];
}

const chat = (app: App, fields: object = {}) =>
  app.post(CHAT_PATH, { model: 'gpt-4o', messages: QUESTION, ...fields }).then((response) => response.text());

/** The same, while time passes: a call that failed is made again after a while. */
async function chatAndAgain(app: App, fields: object = {}): Promise<string> {
  const moving = setInterval(() => void app.clock.advance(250), 5);
  return chat(app, fields).finally(() => clearInterval(moving));
}

const cannotSettle = (store: Store): Store => ({ ...store, settle: () => Promise.reject(new Error('store away')) });

describe('what is counted of requests', () => {
  it('one that one model answers: its status, times, cost and call', async () => {
    const script = () => ({ text: 'Because.', delayMs: 700, usage: { promptTokens: 1_000, completionTokens: 100 } });
    const lines = await linesOf(
      async (app) => {
        const reply = chat(app);
        while (app.clock.pending < 3) await new Promise(setImmediate);
        await app.clock.advance(700);
        await reply;
      },
      { script },
    );
    const request = lines.map((line) => JSON.parse(line)).find(({ message }) => message === 'request');
    expect(request.costNanoUsd).toBeGreaterThan(0);
    expect(counted(lines)).toEqual({
      ensemble_requests: [OK_REQUEST],
      ensemble_request_duration: [{ labels: PLAIN_LABELS, value: 700 }],
      ensemble_first_text: [{ labels: PLAIN_LABELS, value: 700 }],
      ensemble_spend: [{ labels: PLAIN_LABELS, value: request.costNanoUsd }],
      ensemble_model_calls: [{ labels: { provider: 'openai', fault: '' } }],
    });
  });

  it('an ensemble: its strategy, and what the ledger says that it cost', async () => {
    let costNanoUsd = 0;
    const lines = await linesOf(async (app) => {
      const models = ['gpt-4o', 'claude-opus-4-8', 'gemini-2.5-pro'];
      const response = await app.post(CHAT_PATH, { model: 'gpt-4o', messages: QUESTION, ai_ensemble: { models } });
      await response.text();
      const record = await app.container.store.findRecord(response.headers.get('x-request-id') ?? '');
      costNanoUsd = record?.calls.reduce((sum, call) => sum + call.costNanoUsd, 0) ?? 0;
    });
    const labels = { endpoint: 'chat.completions', strategy: 'competitive_refinement' };
    const found = counted(lines);
    expect(costNanoUsd).toBeGreaterThan(0);
    expect(found).toMatchObject({ ensemble_spend: [{ labels, value: costNanoUsd }] });
    const providers = found['ensemble_model_calls']?.map(({ labels: { provider } }) => provider);
    expect(new Set(providers)).toEqual(new Set(['openai', 'anthropic', 'gcp.gemini']));
  });

  it('one that costs nothing and writes no text: neither spend nor a first text', async () => {
    const lines = await linesOf((app) => app.get('/v1/models'));
    const labels = { endpoint: 'models', strategy: '' };
    expect(counted(lines)).toMatchObject({ ensemble_requests: [{ labels: { ...labels, status: '200' } }] });
    expect(Object.keys(counted(lines))).toEqual(['ensemble_request_duration', 'ensemble_requests']);
  });

  it('one that fails with 500, although the store is what failed', async () => {
    let fails = false;
    const wrapStore = (store: Store): Store =>
      new Proxy(store, {
        get: (target, name) => {
          const work = Reflect.get(target, name);
          if (!fails || typeof work !== 'function' || name === 'close') return work;
          return () => Promise.reject(new Error('disk on fire'));
        },
      });
    const use = (app: App) => {
      fails = true;
      return chat(app);
    };
    const found = counted(await linesOf(use, { wrapStore }));
    expect(found).toMatchObject({
      ensemble_failed_requests: [{ labels: {} }],
      ensemble_requests: [{ labels: { status: '500' } }],
    });
  });

  it('a stream that fails once it has begun, with status 200', async () => {
    const script = () => ({ text: 'Becau', fault: new ModelFault('protocol') });
    const found = counted(await linesOf((app) => chat(app, { stream: true }), { script }));
    expect(found['ensemble_requests']).toEqual([OK_REQUEST]);
    expect(found['ensemble_failed_requests']).toEqual([{ labels: {} }]);
  });

  it('one that its caller did wrong: no failure', async () => {
    const found = counted(await linesOf((app) => chat(app, { messages: [] })));
    expect(found).toMatchObject({ ensemble_requests: [{ labels: { status: '400' } }] });
    expect(found).not.toHaveProperty('ensemble_failed_requests');
  });

  it('one that is not settled at its end', async () => {
    const found = counted(await linesOf((app) => chat(app), { wrapStore: cannotSettle }));
    expect(found).toMatchObject({ ensemble_settle_failures: [{ labels: {} }], ensemble_requests: [OK_REQUEST] });
    expect(found).not.toHaveProperty('ensemble_failed_requests');
  });
});

describe('what is counted of model calls', () => {
  it.each(['overloaded', 'rate_limited', 'unauthorized', 'timeout'] as const)('the fault %s', async (kind) => {
    const script = () => ({ text: '', fault: new ModelFault(kind) });
    const found = counted(await linesOf((app) => chatAndAgain(app, { model: 'claude-opus-4-8' }), { script }));
    const attempts = found['ensemble_model_calls'] ?? [];
    expect(attempts.length).toBeGreaterThan(0);
    for (const { labels } of attempts) expect(labels).toEqual({ provider: 'anthropic', fault: kind });
  });

  it('none that was given up because nobody waited for it', async () => {
    const script = () => ({ text: '', fault: new ModelFault('aborted') });
    const lines = await linesOf((app) => chat(app), { script });
    expect(lines.join('\n')).toContain('"error.type":"aborted"');
    expect(counted(lines)).not.toHaveProperty('ensemble_model_calls');
  });

  it('a model that begins to be spared, once', async () => {
    const script = () => ({ text: '', fault: new ModelFault('server') });
    const use = async (app: App) => {
      for (let sent = 0; sent < 25; sent += 1) {
        await chatAndAgain(app);
        await app.clock.advance(MINUTE_MS);
      }
    };
    const labels = { provider: 'openai', model: 'gpt-4o' };
    expect(counted(await linesOf(use, { script }))['ensemble_models_unavailable']).toEqual([{ labels }]);
  });
});

describe('what is counted of sweeps, and seen of the ledger', () => {
  /** The lines of one piece of work on a store with one record, begun at T0, whose lease has ended. */
  async function linesOfWork(work: typeof sweepAndLog, over: Partial<Store> = {}, ageMinutes = 13) {
    const lines: string[] = [];
    await linesOf(async ({ container: { store } }) => {
      const log = createLog('info', (line) => lines.push(line));
      await store.admit(rateLimit(100), [reservation('r', { calls: [openRow('c')], leaseUntilMs: T0 - 1 })], T0);
      const clock = fakeClock(T0 + ageMinutes * MINUTE_MS);
      await work({ store: { ...store, ...over }, clock, log, tellsEverySweep: true }).catch(() => {});
    });
    return lines;
  }
  const away = () => Promise.reject(new Error('store away'));
  const [ledger] = monitoringFiles<{ conditions: [{ conditionMatchedLog: { filter: string } }] }>('policies').filter(
    ({ name }) => name === 'ledger',
  );
  const alerts = (lines: readonly string[], service: string): LogEntry[] =>
    lines
      .map((line) => entryOf(line, service))
      .filter(logFilter(ledger?.file.conditions[0].conditionMatchedLog.filter ?? ''));

  it('how old the oldest record was', async () => {
    const lines = await linesOfWork(sweepAndLog);
    expect(counted(lines, 'sweep')).toEqual({
      ensemble_sweep_age: [{ labels: { outcome: 'swept' }, value: 13 * MINUTE_MS }],
    });
    expect(alerts(lines, 'sweep')).toEqual([]);
  });

  it('every sweep, also one that finds nothing', async () => {
    const lines = await linesOfWork(sweepAndLog, { listExpired: async () => [] });
    expect(counted(lines, 'sweep')).toEqual({ ensemble_sweep_age: [{ labels: { outcome: 'swept' }, value: 0 }] });
  });

  it('one that could not settle what it found, and not as one that ended well', async () => {
    const lines = await linesOfWork(sweepAndLog, { settle: away }, 31);
    expect(counted(lines, 'sweep')).toEqual({
      ensemble_sweep_age: [{ labels: { outcome: 'sweep failed' }, value: 31 * MINUTE_MS }],
    });
    expect(alerts(lines, 'sweep')).toEqual([]);
  });

  it('an alert of a record that could not be settled for an hour', async () => {
    const lines = await linesOfWork(sweepAndLog, { settle: away }, 60);
    expect(alerts(lines, 'sweep')).toMatchObject([
      { jsonPayload: { message: 'ledger record overdue', requestId: 'r' } },
    ]);
  });

  it('an alert of a month that differs from its ledger, and of a reconciliation that failed', async () => {
    const differs = await linesOfWork(async (parts) => {
      const { store } = parts;
      await store.settle(settlement('r', [callRow('c')]));
      const readMonths: Store['readMonths'] = async (...args) =>
        (await store.readMonths(...args)).map((month) => ({ ...month, requests: month.requests + 1 }));
      await reconcileAndLog({ ...parts, store: { ...store, readMonths } });
    });
    expect(alerts(differs, 'reconcile')).toMatchObject([{ jsonPayload: { message: 'month differs from its ledger' } }]);
    const failed = await linesOfWork(reconcileAndLog, { listClosed: away });
    expect(alerts(failed, 'reconcile')).toMatchObject([{ jsonPayload: { message: 'reconcile failed' } }]);
  });
});

it('every metric is seen to count by a test of this file', () => {
  expect(METRICS.map(({ name }) => name)).toEqual([
    'ensemble_failed_requests',
    'ensemble_first_text',
    'ensemble_model_calls',
    'ensemble_models_unavailable',
    'ensemble_request_duration',
    'ensemble_requests',
    'ensemble_settle_failures',
    'ensemble_spend',
    'ensemble_sweep_age',
  ]);
});
