import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Firestore } from '@google-cloud/firestore';
import { type App, CHAT_PATH, EVALUATIONS_PATH, judges, startApp } from '../support/app';
import { describeWithFirestore } from '../support/firestore-emulator';
import { interceptFirestore } from './firestore-calls';

/** What each kind of request reads and writes on Firestore, over HTTP, in a process that has served its user before. */

/** Dollars for a document, as docs/deploy.md has them for 100,000. */
const READ_USD = 0.03 / 100_000;
const WRITE_USD = 0.09 / 100_000;

const PAGE = readFileSync(join(__dirname, '..', '..', '..', 'docs', 'deploy.md'), 'utf8');
const MODEL = 'gpt-4o';
const MESSAGES = [{ role: 'user', content: 'Is a tomato a fruit?' }];
const PANEL = ['gpt-4o', 'claude-opus-4-8', 'gemini-2.5-pro'];
const chat = (fields: object, headers?: Record<string, string>) => (app: App) =>
  app.post(CHAT_PATH, { model: MODEL, messages: MESSAGES, ...fields }, headers);
const ensemble = (fields: object) => chat({ ai_ensemble: { models: PANEL, ...fields } });

/** By the words of the table's first column. */
const KINDS: Readonly<Record<string, (app: App) => Promise<Response>>> = {
  'no key, or one that was never made': (app) => app.get('/v1/models', { authorization: 'Bearer sk-ens_none' }),
  '`GET /v1/models`': (app) => app.get('/v1/models'),
  '`GET /v1/usage` of one month': (app) => app.get('/v1/usage'),
  'refused for what it says (400)': chat({ messages: [] }),
  'a plan (`dryRun`)': ensemble({ dryRun: true }),
  'one model': chat({}),
  'one model, streamed': chat({ stream: true }),
  'one model, with an `Idempotency-Key`': chat({}, { 'idempotency-key': 'once' }),
  'repeated with the same `Idempotency-Key`': chat({}, { 'idempotency-key': 'once' }),
  'three models, one round': ensemble({}),
  'three models, two rounds, explained': ensemble({ rounds: 2, includeReasoning: true }),
  'an evaluation by one judge': (app) =>
    app.post(EVALUATIONS_PATH, {
      prompt: 'Is a tomato a fruit?',
      responses: [{ modelId: 'a', modelName: 'A', response: 'It is.' }],
      judge_models: judges('gpt-4o'),
    }),
};

interface Row {
  readonly kind: string;
  readonly reads: number;
  readonly writes: number;
  readonly cost: string;
}

/** The rows of the table of docs/deploy.md. */
const ROWS: Row[] = [...PAGE.matchAll(/^\| ([^|]+) \| (\d+) \| (\d+) \| (\$[\d.]+) \|$/gm)].map(
  ([, kind = '', reads, writes, cost = '']) => ({ kind, reads: Number(reads), writes: Number(writes), cost }),
);

/** The documents that are read and written while `work` runs; a query is at least one read. */
async function documentsOf(work: () => Promise<unknown>) {
  let [reads, writes] = [0, 0];
  const stop = interceptFirestore(({ method, documents, transforms }, send) => {
    reads += method === 'batchGetDocuments' ? documents : 0;
    reads += method.startsWith('run') ? 1 : 0;
    writes += transforms.length;
    return send();
  });
  try {
    await work();
  } finally {
    stop();
  }
  return { reads, writes };
}

it('docs/deploy.md says of every kind of request what it costs', () => {
  expect(ROWS.map(({ kind }) => kind)).toEqual(Object.keys(KINDS));
});

it('docs/deploy.md has what models cost as the README has it, where a test computes it', () => {
  const readme = readFileSync(join(__dirname, '..', '..', '..', 'README.md'), 'utf8');
  const rows = [...readme.matchAll(/^\| `[^|]+ \| \$([\d.]+) \| \$([\d.]+) \| \$([\d.]+) \|$/gm)];
  expect(rows.length).toBeGreaterThan(1);
  for (const column of [1, 2, 3]) {
    const costs = rows.map((row) => Number(row[column]));
    expect(PAGE).toContain(`$${Math.min(...costs).toFixed(2)} to $${Math.max(...costs).toFixed(2)}`);
  }
});

describeWithFirestore('what a request reads and writes on Firestore', (emulator) => {
  let app: App;
  beforeAll(async () => {
    const projectId = emulator.newProject();
    // The SDK's first call loads much of it: on a busy machine for longer than the store waits.
    const sdk = new Firestore({ projectId });
    await sdk.doc('some/document').get();
    await sdk.terminate();
    app = await startApp({
      env: { STORE: 'firestore', GCLOUD_PROJECT: projectId, FIRESTORE_EMULATOR_HOST: 'set' },
    });
    // What a process asks once: which keys there are, the key, whether the deployment has a budget, the use of the key.
    for (let sent = 0; sent < 2; sent += 1) await (await chat({})(app)).text();
  });
  afterAll(() => app?.close());

  it.each(ROWS)('$kind: $reads reads, $writes writes, $cost for 1,000', async ({ kind, ...told }) => {
    const send = KINDS[kind];
    const { reads, writes } = await documentsOf(async () => {
      const response = await send?.(app);
      await response?.text();
    });
    const cost = 1_000 * (reads * READ_USD + writes * WRITE_USD);
    expect({ reads, writes, cost: `$${cost.toFixed(4)}` }).toEqual(told);
  });
});
