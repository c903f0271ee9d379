import { STRATEGY_NAMES } from '../../src/ensemble/strategies/strategies';
import type { CallRow } from '../../src/ledger/call-row';
import { type App, answer, bearer, CHAT_PATH, EVALUATIONS_PATH, judges, startApp } from '../support/app';
import { fakeClock } from '../support/fake-clock';
import { type FakeUpstream, type RecordedRequest, startFakeUpstream } from '../support/fake-upstream';
import { honest, verdictOf, worth } from '../support/judges';
import { isLongMode } from '../support/long-mode';
import { PROTOCOLS, type Protocol } from '../support/protocols';
import { HOSTILE_REPLIES } from './hostile-replies';

/**
 * Every way a model fails or means harm, in each strategy and in evaluations, over real HTTP in the providers' own wire
 * formats: an answer or a clean error in time, sane counts, a settled ledger. All requests of a suite run side by side,
 * on a clock that moves once nothing happens any more.
 */

const RUN_MAX_MS = 540_000;
const AT_ONCE = 60;
/** For a strategy, in real time. */
const PATIENCE_MS = isLongMode ? 600_000 : 30_000;
/** Turns of the event loop without a byte on any wire, after which only time can move things on. */
const CALM_TURNS = 12;
const GOOD_ANSWER = 'Botanically it is a berry.';
/** Ids of models that are always hostile, in families that think at once: the number is the reply's. */
const HOSTILE_ID: Readonly<Record<Protocol['name'], string>> = {
  openai: 'gpt-4o-h',
  anthropic: 'claude-3-h',
  google: 'gemini-2.0-h',
};
const HOSTILE = /(?:gpt-4o|claude-3|gemini-2\.0)-h(\d+)\b/;
const CLEAN_ERROR =
  /^(?:All participant models failed|No model could write the answer|The answer was cut off|Time limit)/;

/** Seats of the hostile model. */
const ROLES = ['participant', 'arbiter', 'everybody'] as const;

interface Case {
  readonly hostile: string;
  readonly name: string;
  readonly role: (typeof ROLES)[number];
  readonly stream: boolean;
}

/** Outcome of a request. */
interface Outcome extends Case {
  readonly status: number;
  readonly text: string;
  readonly requestId: string;
}

/** Each reply at one protocol, in one role; in the long mode at all of them, in each. */
function casesOf(column: number): Case[] {
  const whole = PROTOCOLS.flatMap((protocol, p) =>
    HOSTILE_REPLIES.flatMap(({ name }, index) =>
      ROLES.flatMap((role, r) =>
        [true, false].map((stream, s) => {
          const isDrawn =
            (index + column) % 3 === p &&
            (Math.floor(index / 3) + Math.floor(column / 3)) % 3 === r &&
            (index + column) % 2 === s;
          return { isDrawn, name, role, stream, hostile: `${HOSTILE_ID[protocol.name]}${index}` };
        }),
      ),
    ),
  );
  return isLongMode ? whole : whole.filter(({ isDrawn }) => isDrawn);
}

let upstream: FakeUpstream;
let app: App;
const clock = fakeClock(undefined, quiet);

beforeAll(async () => {
  upstream = await startFakeUpstream((exchange) => {
    const protocol = PROTOCOLS.find(({ path }) => path.test(exchange.request.path));
    if (!protocol) throw new Error(`no protocol has the path ${exchange.request.path}`);
    const index = HOSTILE.exec(`${exchange.request.path} ${modelIn(exchange.request)}`)?.[1];
    if (index !== undefined) return HOSTILE_REPLIES[Number(index)]?.reply(protocol, clock.world)(exchange);
    return exchange.end(protocol.reply(goodText(protocol, exchange.request), 10, 5));
  });
  const env = {
    OPENAI_API_KEY: 'k',
    OPENAI_BASE_URL: `${upstream.url}/v1`,
    ANTHROPIC_API_KEY: 'k',
    ANTHROPIC_BASE_URL: upstream.url,
    GEMINI_API_KEY: 'k',
    GEMINI_BASE_URL: upstream.url,
  };
  app = await startApp({ clock, providers: {}, env });
});
afterAll(async () => {
  await app.close();
  await upstream.close();
});

function modelIn({ body }: RecordedRequest): string {
  return (JSON.parse(body) as { readonly model?: string }).model ?? '';
}

function goodText(protocol: Protocol, request: RecordedRequest): string {
  return request.body.includes('{\\"prompt\\":') ? verdictOf(protocol.read(request), honest) : GOOD_ANSWER;
}

async function quiet(): Promise<void> {
  const seen = (): string => `${upstream.requests.length} ${upstream.traffic} ${app?.logLines.length}`;
  let before = '';
  for (let calm = 0; calm < CALM_TURNS; calm += 1) {
    await new Promise((resolve) => setImmediate(resolve));
    const now = upstream && seen();
    if (now !== before || process.getActiveResourcesInfo().includes('FSReqCallback')) calm = -1;
    before = now;
  }
}

/** Sends the cases, many side by side, each by a user of its own. */
async function play(cases: readonly Case[], path: string, bodyOf: (one: Case) => object): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  for (let sent = 0; sent < cases.length; sent += AT_ONCE) {
    outcomes.push(...(await playAtOnce(cases.slice(sent, sent + AT_ONCE), path, bodyOf)));
  }
  return outcomes;
}

async function playAtOnce(cases: readonly Case[], path: string, bodyOf: (one: Case) => object): Promise<Outcome[]> {
  const keys = await Promise.all(cases.map((_, index) => app.user(`${path} ${clock.nowMs()} ${index}`, 'pro')));
  const replies = cases.map(async (one, index): Promise<Outcome> => {
    const response = await app.post(path, bodyOf(one), bearer(keys[index] ?? ''));
    const requestId = response.headers.get('x-request-id') ?? '';
    return { ...one, status: response.status, text: await response.text(), requestId };
  });
  return clock.settle(Promise.all(replies), RUN_MAX_MS);
}

/** Faults of an outcome; empty where there are none. */
async function flawsOf(outcome: Outcome, isAnswered: (outcome: Outcome) => boolean): Promise<string[]> {
  const { hostile, name, role, stream, status, text, requestId } = outcome;
  const flaws: string[] = [];
  const flaw = (found: boolean, words: string): void => {
    if (found) flaws.push(`${name}, ${hostile} as ${role}${stream ? ', streamed' : ''}: ${words}`);
  };
  const error = errorOf(outcome);
  flaw(error !== undefined && !CLEAN_ERROR.test(error), `error ${error}`);
  flaw(error === undefined && !isAnswered(outcome), `no answer: ${status} ${text.slice(0, 200)}`);
  flaw(error !== undefined && role === 'participant', `no answer beside a good model: ${error}`);
  flaw(/UPSTREAM-WORDS|secret upstream/.test(text), 'repeats upstream words');
  const insane = usagesIn(outcome).filter((usage) => !isSane(usage));
  flaw(insane.length > 0, `usage ${JSON.stringify(insane)}`);
  const record = await app.container.store.findRecord(requestId);
  flaw(record?.state !== 'settled', `ledger ${record?.state}`);
  const rows = record?.calls.filter((row) => !isSaneRow(row)) ?? [];
  flaw(rows.length > 0, `rows ${JSON.stringify(rows)}`);
  return flaws;
}

/** The error that a reply, or the end of a stream, tells. */
function errorOf({ stream, status, text }: Outcome): string | undefined {
  if (status !== 200) return (JSON.parse(text) as { readonly error: { readonly message: string } }).error.message;
  const last = stream ? chunksOf(text).at(-1) : undefined;
  return (last as { readonly error?: string } | undefined)?.error;
}

function chunksOf(text: string): unknown[] {
  const lines = text.split('\n').filter((line) => line.startsWith('data: ') && line !== 'data: [DONE]');
  return lines.map((line) => JSON.parse(line.slice('data: '.length)));
}

function usagesIn({ stream, status, text }: Outcome): unknown[] {
  const bodies = stream && status === 200 ? chunksOf(text) : [JSON.parse(text)];
  return bodies.map((body) => (body as { readonly usage?: unknown }).usage).filter((usage) => usage != null);
}

/** Every number in it is one that can be counted to; what is not a number in JSON is null there. */
function isSane(value: unknown): boolean {
  if (typeof value === 'number') return Number.isFinite(value) && value >= 0;
  if (typeof value === 'object' && value !== null) return Object.values(value).every(isSane);
  return typeof value === 'string' || typeof value === 'boolean';
}

function isSaneRow(row: CallRow): boolean {
  const counts = [row.promptTokens, row.completionTokens, row.cachedPromptTokens, row.reasoningTokens];
  return row.outcome !== 'open' && [...counts, row.costNanoUsd].every((n) => Number.isSafeInteger(n) && n >= 0);
}

async function allFlaws(outcomes: readonly Outcome[], isAnswered: (outcome: Outcome) => boolean): Promise<string[]> {
  const flaws = await Promise.all(outcomes.map((outcome) => flawsOf(outcome, isAnswered)));
  const open = await app.container.store.listExpired(Number.MAX_SAFE_INTEGER, 1);
  return [...flaws.flat(), ...open.map(({ requestId }) => `${requestId} is still open`)];
}

test.each(STRATEGY_NAMES.map((strategy, column) => ({ strategy, column })))(
  '$strategy: an answer or a clean error, sane counts, a settled ledger, whatever a model does',
  async ({ strategy, column }) => {
    const outcomes = await play(casesOf(column), CHAT_PATH, ({ hostile, role, stream }) => ({
      model: role === 'participant' ? 'gpt-4o' : hostile,
      messages: [{ role: 'user', content: 'Is a tomato a fruit?' }],
      stream,
      ai_ensemble: {
        strategy,
        rounds: 2,
        models:
          role === 'arbiter'
            ? ['gpt-4o', 'gpt-4.1']
            : role === 'participant'
              ? ['gpt-4o', hostile]
              : [hostile, hostile],
        includeReasoning: true,
        includeCandidates: true,
      },
    }));
    const isAnswered = ({ stream, text }: Outcome): boolean =>
      stream ? text.trimEnd().endsWith('data: [DONE]') : JSON.parse(text).choices[0].message.content.trim() !== '';
    expect(await allFlaws(outcomes, isAnswered)).toEqual([]);
  },
  PATIENCE_MS,
);

test(
  'evaluations: scores or none, sane counts, a settled ledger, whatever a judge does',
  async () => {
    const cases = casesOf(STRATEGY_NAMES.length).map((one) => ({ ...one, stream: false }));
    const outcomes = await play(cases, EVALUATIONS_PATH, ({ hostile, role }) => ({
      prompt: 'Is a tomato a fruit?',
      responses: [answer('a', worth(8)), answer('b', worth(4))],
      judge_models: judges(...(role === 'everybody' ? [hostile] : ['gpt-4o', hostile])),
    }));
    const isAnswered = ({ text, role }: Outcome): boolean => {
      const { evaluations } = JSON.parse(text);
      return (
        evaluations.length === 2 && isSane(evaluations) && (role === 'everybody' || evaluations[0].scoredByJudges >= 1)
      );
    };
    expect(await allFlaws(outcomes, isAnswered)).toEqual([]);
  },
  PATIENCE_MS,
);
