import { gzipSync } from 'node:zlib';
import { answer, CHAT, judges, startApp } from '../support/app';
import { LOCAL_USER, pageHeaders } from '../support/dashboard';
import { during } from '../support/during';
import { bombPdf, pdfOf } from '../support/pdf';

/** Bodies that are sent to do harm: each is refused in words, before a model is asked or anything is kept. */

const SECRET = 'sk-secret-in-the-body-0123456789';
const JSON_TYPE = { 'content-type': 'application/json' };
const encoded = (bytes: Buffer | string): string => Buffer.from(bytes).toString('base64');
const file = (fields: object) => ({ attachments: [{ name: 'a.json', media_type: 'application/json', ...fields }] });
const pdf = (bytes: Buffer | string) => file({ name: 'a.pdf', media_type: 'application/pdf', data: encoded(bytes) });
const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth);
const text = (fields: object): string => JSON.stringify({ ...CHAT, ...fields });
const one = { name: 'a.json', media_type: 'application/json', data: encoded('1') };

interface Hostile {
  readonly what: string;
  readonly body: string | Buffer;
  readonly headers?: Readonly<Record<string, string>>;
  readonly status: number;
  readonly says: RegExp;
}

const WRONG: readonly [field: string, value: unknown][] = [
  ['model', { $ne: null }],
  ['messages', 'Is a tomato a fruit?'],
  ['messages', [null]],
  ['messages', [{ role: '__proto__', content: 'x' }]],
  ['ai_ensemble', [SECRET]],
  ['ai_ensemble', { models: { length: 10 ** 9 } }],
  ['ai_ensemble', { quorum: 1e308 }],
  ['ai_ensemble', { maxCostUsd: '1e9' }],
  ['attachments', { length: -1 }],
  ['attachments', Array(9).fill(one)],
  ['attachments', [SECRET]],
  ['store', 'false'],
  ['thread', [SECRET]],
  ['thread', { id: `${'a'.repeat(31)}/` }],
  ['thread', { id: 'a'.repeat(32), earlier: Array(201).fill('a'.repeat(32)) }],
];

const BODIES: readonly Hostile[] = [
  { what: 'a megabyte of open lists', body: '['.repeat(1_000_000), status: 400, says: /JSON/ },
  { what: 'lists 100,000 deep', body: nested(100_000), status: 400, says: /\w/ },
  {
    what: 'options 10,000 deep',
    body: text({ ai_ensemble: 0 }).replace('0}', `${nested(10_000)}}`),
    status: 400,
    says: /\w/,
  },
  {
    what: 'a body that inflates',
    body: gzipSync(Buffer.alloc(50_000_000, 0x20)),
    headers: { 'content-encoding': 'gzip' },
    status: 415,
    says: /content encoding/,
  },
  {
    what: 'more values than anybody has to say',
    body: text({ messages: Array(10_001).fill(CHAT.messages[0]) }),
    status: 400,
    says: /30,000 values/,
  },
  { what: 'more than 4 MB', body: text({ user: 'a'.repeat(4_200_000) }), status: 413, says: /4/ },
  ...WRONG.map(([field, value]) => ({
    what: `${field}: ${JSON.stringify(value).slice(0, 60)}`,
    body: text({ [field]: value }),
    status: 400,
    says: new RegExp(`Invalid ${field}`),
  })),
  {
    what: 'a file that is no base64',
    body: text(file({ data: `${SECRET}!` })),
    status: 400,
    says: /"a\.json".* base64/,
  },
  { what: 'a file without bytes', body: text(file({ data: '' })), status: 400, says: /attachments\[0\]\.data/ },
  { what: 'a file of another kind', body: text(file({ media_type: 'text/html' })), status: 400, says: /media_type/ },
  { what: 'a name of 4,000 characters', body: text(file({ name: 'a'.repeat(4_000) })), status: 400, says: /\.name/ },
  { what: 'JSON that is none', body: text(file({ data: encoded(`{"a": ${SECRET}`) })), status: 400, says: /a\.json/ },
  { what: 'a PDF that is none', body: text(pdf(`%PDF-1.4 ${SECRET}`)), status: 400, says: /a\.pdf/ },
  { what: 'a PDF behind a password', body: text(pdf(pdfOf(['x'], { encrypt: true }))), status: 400, says: /a\.pdf/ },
  { what: 'a PDF that inflates', body: text(pdf(bombPdf(60))), status: 400, says: /a\.pdf/ },
];

const app = during('all', startApp);
beforeAll(async () => {
  await app.user(LOCAL_USER, 'pro');
});
beforeEach(async () => {
  app.models.reset();
  await app.clock.advance(60_000);
});

async function post(path: string, body: string | Buffer, headers: Readonly<Record<string, string>> = {}) {
  const init = { method: 'POST', headers: { ...pageHeaders(app), ...JSON_TYPE, ...headers }, body };
  const response = await fetch(`${app.baseUrl}/dashboard/${path}`, init);
  return { status: response.status, reply: await response.text() };
}

describe.each(['runs', 'runs/plan'])('POST /dashboard/%s', (path) => {
  // A plan reads no files.
  const bodies = BODIES.filter(({ says }) => path === 'runs' || !/a\\\.(?:json|pdf)/.test(says.source));
  it.each(bodies)('refuses $what', async ({ body, headers, status, says }) => {
    const { status: answered, reply } = await post(path, body, headers);
    const { error } = JSON.parse(reply);
    expect([answered, error.message]).toEqual([status, expect.stringMatching(says)]);
    expect(reply.length).toBeLessThan(600);
    expect(reply).not.toContain(SECRET);
    expect(app.models.calls).toHaveLength(0);
    expect(app.logLines.join('')).not.toContain(SECRET);
    const kept = (await (await fetch(`${app.baseUrl}/dashboard/runs`, { headers: pageHeaders(app) })).json()) as {
      data: object[];
    };
    expect(kept.data).toEqual([]);
  });
});

describe('POST /dashboard/evaluations', () => {
  const EVALUATION = { prompt: 'x', responses: [answer('a', 'Yes.')], judge_models: judges('x') };
  it.each<[field: string, value: unknown, says: RegExp]>([
    ['prompt', { toString: SECRET }, /prompt/],
    ['responses', [{ ...answer('a', 'Yes.'), response: null }], /responses\[0\]\.response/],
    ['judge_models', judges(...Array(1_000).fill('x')), /1000 judge calls, at most 200/],
    ['judge_models', SECRET, /judge_models/],
    ['runId', { $gt: '' }, /runId/],
  ])('refuses a hostile %s (%#)', async (field, value, says) => {
    const { status, reply } = await post('evaluations', JSON.stringify({ ...EVALUATION, [field]: value }));
    expect([status, JSON.parse(reply).error.message]).toEqual([400, expect.stringMatching(says)]);
    expect(reply).not.toContain(SECRET);
    expect(app.models.calls).toHaveLength(0);
  });
});
