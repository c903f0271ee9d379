import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { reconcileAndLog } from '../../src/ledger/reconcile';
import { sweepExpired } from '../../src/ledger/sweep';
import { createLog } from '../../src/lib/log';
import { ModelFault } from '../../src/models/model-fault';
import type { Store } from '../../src/store/store';
import { type App, type AppOptions, CHAT_PATH, startApp } from '../support/app';
import { fakeClock } from '../support/fake-clock';
import { openRow, rateLimit, reservation, T0 } from '../support/store-records';

/** The files of monitoring/ read messages and fields that the service writes, and lead to a section of the runbook. */

const ROOT = join(__dirname, '..', '..', '..');
const MONITORING = join(ROOT, 'monitoring');
const FILES = readdirSync(MONITORING, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.json'));
const MINUTE_MS = 60_000;

const textOf = (path: string): string => readFileSync(join(MONITORING, path), 'utf8');

/** Requests after which a model that always fails is spared. */
const FAILURES = 25;

/** Lines of a service in use: requests that succeed, fail until a model is spared, cannot be settled, and an ensemble. */
async function requestLines(): Promise<string[]> {
  const failing = { script: () => ({ text: '', fault: new ModelFault('server') }) };
  const unsettled: AppOptions = {
    wrapStore: (store) => ({ ...store, settle: () => Promise.reject(new Error('store away')) }),
  };
  const lines: string[] = [];
  for (const options of [{}, failing, unsettled]) {
    await using app = await startApp(options);
    for (let sent = 0; sent < (options === failing ? FAILURES : 1); sent += 1) {
      await chat(app, {});
      await app.clock.advance(MINUTE_MS);
    }
    await chat(app, { ai_ensemble: { models: ['gpt-4o', 'claude-opus-4-8'] } });
    lines.push(...app.logLines);
  }
  return lines;
}

async function chat(app: App, fields: object): Promise<void> {
  const messages = [{ role: 'user', content: 'Why?' }];
  const moving = setInterval(() => void app.clock.advance(250), 5);
  const response = await app.post(CHAT_PATH, { model: 'gpt-4o', messages, ...fields });
  await response.text().finally(() => clearInterval(moving));
}

/** Lines of a sweep and a reconciliation over one record that is long overdue. */
async function housekeepingLines(): Promise<string[]> {
  const lines: string[] = [];
  await using app = await startApp();
  const { store } = app.container;
  const log = createLog('info', (line) => lines.push(line));
  await store.admit(rateLimit(100), [reservation('r', { calls: [openRow('c')], leaseUntilMs: T0 - 1 })], T0);
  const clock = fakeClock(T0 + 61 * MINUTE_MS);
  const away = (): Promise<never> => Promise.reject(new Error('store away'));
  const broken: Store = { ...store, settle: away, listClosed: away };
  for (const work of [sweepExpired, reconcileAndLog]) {
    await work({ store: broken, clock, log, tellsEverySweep: true }).catch(() => {});
  }
  await sweepExpired({ store, clock, log, tellsEverySweep: true });
  return lines;
}

it('the service writes every field that metrics and alerts read', async () => {
  const lines = [...(await requestLines()), ...(await housekeepingLines())].map((line) => JSON.parse(line));
  const written = new Set(lines.flatMap(Object.keys));
  const read = FILES.flatMap((path) => [...textOf(path).matchAll(/jsonPayload\.(?:\\"([^"\\]+)\\"|(\w+))/g)]);
  const fields = new Set(read.map(([, quoted, plain]) => quoted ?? plain ?? ''));
  expect(fields.size).toBeGreaterThan(8);
  expect([...fields].filter((field) => !written.has(field))).toEqual([]);
});

it('every message that metrics, alerts and the runbook look for is one of the source', () => {
  const source = readdirSync(join(ROOT, 'functions', 'src'), { recursive: true, encoding: 'utf8' })
    .filter((path) => /(?<!\.test)\.ts$/.test(path))
    .map((path) => readFileSync(join(ROOT, 'functions', 'src', path), 'utf8'))
    .join('\n');
  const texts = [...FILES.map(textOf), readFileSync(join(ROOT, 'docs', 'runbook.md'), 'utf8')].join('\n');
  const lookedFor = [...texts.matchAll(/jsonPayload\.message=(\([^)]*\)|\\?"[^"\\]+)/g)].map(([, found = '']) => found);
  const messages = lookedFor.flatMap((found) =>
    [...found.matchAll(/"(\w[^"\\]*)/g)].map(([, message = '']) => message),
  );
  expect(messages.length).toBeGreaterThan(8);
  expect(messages.filter((message) => !source.includes(`'${message}'`))).toEqual([]);
});

it('every alert has a section of the runbook, which it links', () => {
  const sections = [...readFileSync(join(ROOT, 'docs', 'runbook.md'), 'utf8').matchAll(/^## (.+)$/gm)];
  const policies = readdirSync(join(MONITORING, 'policies')).map((path) => path.replace('.json', ''));
  expect(sections.map(([, name]) => name).sort()).toEqual(policies.sort());
  for (const name of policies) expect(textOf(`policies/${name}.json`)).toContain(`docs/runbook.md#${name}`);
});
