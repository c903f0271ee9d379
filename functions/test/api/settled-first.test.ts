import type { Store } from '../../src/store/store';
import {
  type App,
  answer,
  bearer,
  CHAT,
  CHAT_PATH,
  EVALUATIONS_PATH,
  judges,
  QUESTION,
  RESPONSE,
  RESPONSES_PATH,
  startApp,
} from '../support/app';
import { failing, PLAIN, type Script } from '../support/scripted-models';
import { until } from '../support/until';

/** Number of other requests while a settlement is held back: everything written before would have arrived. */
const ROUND_TRIPS = 10;

interface Row {
  readonly reply: string;
  readonly path: string;
  readonly body: object;
  readonly script?: Script;
  /** Text that must arrive before the settlement. */
  readonly before: RegExp;
  /** Text that may only arrive after it. */
  readonly last: RegExp;
}

const PANEL = { ai_ensemble: { models: ['demo-blaise', 'demo-claire'], includeCandidates: true } };
const EVALUATION = {
  prompt: QUESTION,
  responses: [answer('a', 'Yes.'), answer('b', 'No.')],
  judge_models: judges('j'),
};
const NOTHING = /^$/;
const LAST_CHUNK = /"finish_reason":"stop"|\[DONE\]|"usage"|"candidates"/;
const BROKEN: Script = () => failing('network', 'Botanically it is');

const REPLIES: readonly Row[] = [
  { reply: 'a chat completion', path: CHAT_PATH, body: CHAT, before: NOTHING, last: /"choices"/ },
  { reply: 'one of a panel', path: CHAT_PATH, body: { ...CHAT, ...PANEL }, before: NOTHING, last: /"choices"/ },
  { reply: 'one that failed', path: CHAT_PATH, body: CHAT, script: BROKEN, before: NOTHING, last: /"error"/ },
  { reply: 'a response', path: RESPONSES_PATH, body: RESPONSE, before: NOTHING, last: /"output"/ },
  {
    reply: 'an evaluation',
    path: EVALUATIONS_PATH,
    body: EVALUATION,
    before: NOTHING,
    last: /"evaluations"|"results"/,
  },
  ...[
    { reply: 'a streamed chat completion', path: CHAT_PATH, body: { ...CHAT, stream: true } },
    { reply: 'a streamed one of a panel', path: CHAT_PATH, body: { ...CHAT, ...PANEL, stream: true } },
    { reply: 'a streamed response', path: RESPONSES_PATH, body: { ...RESPONSE, stream: true } },
  ].map((row) => ({ ...row, before: /"content":"\w/, last: LAST_CHUNK })),
  {
    reply: 'a streamed one that broke off',
    path: CHAT_PATH,
    body: { ...CHAT, stream: true },
    script: BROKEN,
    before: /"content":"Botanically/,
    last: /"error"|\[DONE\]/,
  },
];

/** A store whose settlements are begun when they come and made only once the gate is opened. */
function heldSettlements() {
  const [begun, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const wrapStore = (store: Store): Store => ({
    ...store,
    settle: async (settlement) => {
      begun.resolve();
      await gate.promise;
      return store.settle(settlement);
    },
  });
  return { wrapStore, begun: begun.promise, open: gate.resolve };
}

describe('the last byte of a reply comes after its settlement (ADR 5)', () => {
  it.each(REPLIES)('of $reply', async ({ path, body, script, before, last }) => {
    const held = heldSettlements();
    await using app = await startApp({ wrapStore: held.wrapStore });
    app.models.play(script ?? PLAIN);
    const reply = follow(app, path, body);
    await held.begun;
    await until(() => before.test(reply.text));
    for (let trip = 0; trip < ROUND_TRIPS; trip += 1) await app.get('/v1/models').then((other) => other.text());
    expect(reply.text).not.toMatch(last);
    expect(reply.isOver).toBe(false);
    const open = await app.container.store.findRecord(reply.requestId || (await onlyRecordOf(app)));
    expect(open?.state).toBe('open');
    held.open();
    await until(() => reply.isOver);
    expect(reply.text).toMatch(last);
    expect((await app.container.store.findRecord(reply.requestId))?.state).toBe('settled');
  });
});

/** A reply as far as it has come. */
function follow(app: App, path: string, body: object) {
  const reply = { requestId: '', text: '', isOver: false };
  const read = async (): Promise<void> => {
    const headers = { ...bearer(app.key), 'content-type': 'application/json' };
    const response = await fetch(app.baseUrl + path, { method: 'POST', headers, body: JSON.stringify(body) });
    reply.requestId = response.headers.get('x-request-id') ?? '';
    const decoder = new TextDecoder();
    for await (const bytes of response.body ?? []) reply.text += decoder.decode(bytes, { stream: true });
    reply.isOver = true;
  };
  void read();
  return reply;
}

/** Before the head has come a client knows no id. */
async function onlyRecordOf({ container: { store } }: App): Promise<string> {
  const [record] = await store.listExpired(Number.MAX_SAFE_INTEGER, 1);
  return record?.requestId ?? '';
}
