import { type App, startApp } from '../../../test/support/app';
import { during } from '../../../test/support/during';
import { type FakeClock, fakeClock } from '../../../test/support/fake-clock';
import { sendStatus, startFakeUpstream } from '../../../test/support/fake-upstream';
import { pdfOf } from '../../../test/support/pdf';
import { type Playground, playgroundOf, sendAnswer, sendRouterList, UMA } from '../../../test/support/playground';
import type { Script } from '../../../test/support/scripted-models';
import { addRouterModels, saveRouterKey } from '../../byok/router';
import { isRefusal } from '../../errors';
import { ByteBudget } from '../../lib/byte-budget';

const KEY = 'sk-or-v1-the-key-of-uma-0001';
const EAGLE = 'owl/eagle-1';
const MOLE = 'owl/mole-2:free';
const MONTH = { userId: UMA, month: '2026-01' };
const PNG = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex').toString('base64');
const image = { name: 'a.png', media_type: 'image/png', data: PNG };

const router = during('each', startFakeUpstream);
let clock: FakeClock;
let app: App;
let playground: Playground;
/** Tokens that each reply takes. */
let spending: { promptTokens: number; completionTokens: number };

beforeEach(async () => {
  clock = fakeClock();
  spending = { promptTokens: 200, completionTokens: 100 };
  const script: Script = () => ({ text: 'The platform says: a berry.', usage: spending });
  app = await startApp({ clock, script, env: { ROUTER_BASE_URL: `${router.url}/api/v1` } });
  playground = playgroundOf(app);
  await app.user(UMA, 'byok');
});
afterEach(async () => {
  await app.close();
});

const grant = () => app.container.store.readGrant(MONTH, clock.nowMs());
const month = async () => (await app.container.store.readMonths(UMA, ['2026-01']))[0];
const use = async (...slugs: string[]) => {
  const { account } = app.container;
  router.willReply(sendStatus(200, {}), sendRouterList);
  await saveRouterKey(account, { userId: UMA, key: KEY });
  const added = await addRouterModels(account, { userId: UMA, slugs });
  if (isRefusal(added)) throw new Error(added.text);
};
const completions = () => router.requests.filter(({ method }) => method === 'POST');

describe('router models in a run', () => {
  it('are called at the router with their user’s key and nothing else of ours', async () => {
    await use(MOLE);
    router.willReply(sendAnswer('A mole says: a fruit.'));
    const { content } = await playground.run({ model: MOLE });
    expect(content).toBe('A mole says: a fruit.');
    const [request] = completions();
    expect(request?.path).toBe('/api/v1/chat/completions');
    expect(request?.headers.authorization).toBe(`Bearer ${KEY}`);
    expect(JSON.parse(request?.body ?? '')).toMatchObject({
      model: MOLE,
      messages: [{ role: 'user', content: 'Is a tomato a fruit?' }],
    });
    expect(Object.keys(request?.headers ?? {}).filter((name) => name.startsWith('openai'))).toEqual([]);
  });

  it('sit beside platform models, and only those count against the grant', async () => {
    await use(EAGLE, MOLE);
    router.willReply(sendAnswer('One.'), sendAnswer('Two.'));
    const { content, candidates } = await playground.run({
      model: 'demo-ada',
      ai_ensemble: { models: [EAGLE, MOLE, 'demo-curie'], includeCandidates: true },
    });
    expect(content).toBe('The platform says: a berry.');
    expect(candidates?.map(({ modelId, costNanoUsd }) => [modelId, costNanoUsd > 0])).toEqual([
      [EAGLE, false],
      [MOLE, false],
      ['demo-curie', true],
    ]);
    // demo-curie's draft and demo-ada's answer, 300 tokens each.
    expect(await grant()).toEqual({ usedTokens: 600, leasedTokens: 0 });
    expect(await month()).toMatchObject({ requests: 1, promptTokens: 600, completionTokens: 300 });
  });

  it('regression: chosen by the name that people see they are called at the router, too', async () => {
    await use(MOLE);
    router.willReply(sendAnswer('A mole says: a fruit.'));
    await playground.run({ ai_ensemble: { models: [{ name: 'Owl: Mole 2 (free)' }] } });
    expect(completions()).toHaveLength(1);
    expect(app.models.calls.map(({ providerModel }) => providerModel)).not.toContain('Owl: Mole 2 (free)');
  });

  it('that their user has not added are refused by name; those of others are not theirs', async () => {
    await use(EAGLE);
    await app.user('vic', 'byok');
    expect(await playground.refusal({ model: MOLE })).toBe(
      'Unknown model "owl/mole-2:free": add it to your router models first',
    );
    expect(await playground.refusal({ ai_ensemble: { models: [EAGLE, 'x/y'] } })).toContain('"x/y"');
    expect(await playground.refusal({ model: EAGLE }, 'vic')).toContain('"owl/eagle-1"');
    expect(completions()).toEqual([]);
  });
});

describe('who may run', () => {
  it.each([
    ['byok', 'active', true],
    ['byok', 'trialing', true],
    ['pro', 'active', true],
    ['byok', 'canceled', false],
    ['pro', 'past_due', false],
    ['free', 'active', false],
  ])('tier %s with status %s: %s', async (tier, status, allowed) => {
    await app.user('wim', tier, status);
    const opened = await playground.open({}, 'wim');
    const text = 'This needs an active bring-your-own-key or Pro subscription.';
    expect(isRefusal(opened) ? [opened.code, opened.text] : 'open').toEqual(
      allowed ? 'open' : ['no_subscription', text],
    );
  });

  it('is let in ten times in any minute, apart from the API’s own limit', async () => {
    for (let count = 0; count < 10; count += 1) await playground.run();
    const opened = await playground.open();
    const headers = { 'retry-after': '60', 'x-ratelimit-limit-requests': '10' };
    const text = 'Rate limit exceeded: none of your 10 runs a minute is left';
    expect(opened).toMatchObject({ code: 'rate_limited', text, headers });
    await clock.advance(59_999);
    expect(await playground.open()).toMatchObject({ code: 'rate_limited', headers: { 'retry-after': '1' } });
    await clock.advance(1);
    await playground.run();
    expect(await month()).toMatchObject({ requests: 11 });
  });
});

describe('the token grant', () => {
  const used = async (tokens: number) => {
    spending = { promptTokens: tokens - 1, completionTokens: 1 };
    await playground.run();
    spending = { promptTokens: 200, completionTokens: 100 };
    await clock.advance(60_000);
  };

  it('refuses a run with platform models when it is used up, with the numbers, and makes no call', async () => {
    await used(299_900);
    const before = app.models.calls.length;
    const opened = await playground.open();
    expect(opened).toMatchObject({ code: 'grant_used_up' });
    expect(isRefusal(opened) && opened.text).toBe(
      "Not enough tokens left for platform models: this run takes about 680, and of the month's 300,000 there are 100 left (299,900 used, 0 set aside for runs under way). Use router models only, or come back on 2026-02-01.",
    );
    expect(app.models.calls).toHaveLength(before);
  });

  it('ends a run’s platform calls when they took far more than was estimated; router models step in', async () => {
    await used(290_000);
    await use(EAGLE);
    router.willReply(sendAnswer('The bird drafts.'), sendAnswer('The bird answers.'));
    spending = { promptTokens: 9_000, completionTokens: 3_000 };
    const { content, degraded } = await playground.run({ ai_ensemble: { models: [EAGLE, 'demo-curie'] } });
    expect(content).toBe('The bird answers.');
    expect(degraded).toEqual(['Demo Ada (token grant used up) failed to write the answer; Owl: Eagle 1 stepped in']);
    expect(await grant()).toEqual({ usedTokens: 302_000, leasedTokens: 0 });
  });

  it('gets back what was leased for a run that was not let in', async () => {
    for (let count = 0; count < 10; count += 1) await playground.run();
    const { usedTokens } = await grant();
    // Another process, which does not know yet that the limit is reached.
    const { account } = app.container;
    const limiter = { ...account.limiter, blocked: () => undefined };
    const unaware = playgroundOf({ container: { ...app.container, account: { ...account, limiter } } });
    expect(await unaware.open()).toMatchObject({ code: 'rate_limited' });
    expect(await grant()).toEqual({ usedTokens, leasedTokens: 0 });
  });
});

describe('attachments of a run', () => {
  const shown = () => app.models.calls.map(({ prompt }) => prompt.turns.at(-1));

  it('as images reach every platform model that sees, as part of the question', async () => {
    const models = ['gpt-4o', 'claude-sonnet-5'];
    await playground.run({ model: 'gpt-4o', ai_ensemble: { models }, attachments: [image] });
    expect(shown()).toHaveLength(3);
    for (const turn of shown()) expect(turn?.images).toEqual([{ mediaType: 'image/png', base64: PNG }]);
  });

  it('as images are refused when a participant or the arbiter has no vision, by name', async () => {
    await use(EAGLE, MOLE);
    const rule = 'Image attachments need models with vision, which';
    const fields = { ai_ensemble: { models: [EAGLE, MOLE] }, attachments: [image] };
    expect(await playground.refusal({ model: EAGLE, ...fields })).toBe(`${rule} Owl: Mole 2 (free) has not`);
    const both = `${rule} Owl: Mole 2 (free), Demo Ada have not`;
    expect(await playground.refusal({ model: 'demo-ada', ...fields })).toBe(both);
    expect(completions()).toEqual([]);
  });

  it('as PDF and JSON work on models without vision', async () => {
    await use(MOLE);
    router.willReply(sendAnswer('4711.'));
    const files = [
      { name: 'a.pdf', media_type: 'application/pdf', data: pdfOf(['The code is 4711.']).toString('base64') },
      { name: 'b.json', media_type: 'application/json', data: Buffer.from('{"code":4712}').toString('base64') },
    ];
    await playground.run({ model: MOLE, attachments: files });
    const [{ content }] = JSON.parse(completions()[0]?.body ?? '').messages;
    expect(content).toMatch(
      /^Is a tomato a fruit\?\n\n.*file a\.pdf>>\nThe code is 4711\.\n.*file b\.json>>\n\{"code":4712\}\n/s,
    );
  });

  it('take a slot of their own before one is read, also of a run that is refused for them', async () => {
    const { account } = app.container;
    let read = 0;
    const readPdf = async () => {
      read += 1;
      return { text: 'A text.' };
    };
    const counting = playgroundOf({ container: { ...app.container, account: { ...account, readPdf } } });
    const pdf = { name: 'a.pdf', media_type: 'application/pdf', data: 'QQ==' };
    const broken = { name: 'b.json', media_type: 'application/json', data: 'Ww==' };
    for (let count = 0; count < 10; count += 1) {
      expect(await counting.refusal({ attachments: [pdf, broken] })).toBe(
        'Attachment "b.json": it is no JSON in UTF-8',
      );
    }
    const refused = await counting.open({ attachments: [pdf] });
    const text = 'Rate limit exceeded: none of your 10 runs a minute with files is left';
    expect(refused).toMatchObject({ code: 'rate_limited', text, headers: { 'retry-after': '60' } });
    expect(read).toBe(10);
    // A run without files needs no such slot.
    await counting.run();
    await clock.advance(60_000);
    for (let count = 0; count < 10; count += 1) await counting.run({ attachments: [pdf] });
    expect(await counting.open()).toMatchObject({ code: 'rate_limited' });
  });

  it('are refused while there is no memory for them', async () => {
    const { account } = app.container;
    const memory = new ByteBudget(1_000_000);
    const small = playgroundOf({ container: { ...app.container, account: { ...account, memory } } });
    const json = (length: number) => {
      const data = Buffer.from(JSON.stringify('x'.repeat(length))).toString('base64');
      return { attachments: [{ name: 'a.json', media_type: 'application/json', data }] };
    };
    expect(await small.open(json(190_000))).toMatchObject({ code: 'busy' });
    expect(isRefusal(await small.open(json(1_000)))).toBe(false);
  });
});

describe('a search of the web', () => {
  it('is made by router models with tools, by the router’s own tool; that others run without is said', async () => {
    await use(EAGLE, MOLE);
    router.willReply(sendAnswer('One.'), sendAnswer('Two.'), sendAnswer('Three.'));
    const ai_ensemble = { models: [EAGLE, MOLE], webSearch: true };
    const { content, degraded } = await playground.run({ model: EAGLE, ai_ensemble });
    expect(content).not.toBe('');
    expect(degraded).toEqual(['Owl: Mole 2 (free) ran without web search: its model has no tools']);
    const tools = completions()
      .map(({ body }) => JSON.parse(body))
      .map(({ model, tools: sent }) => [model, sent]);
    // Two drafts, in the order in which they came, and the answer, which is made from them.
    expect(tools).toHaveLength(3);
    expect(tools.filter(([, sent]) => sent)).toEqual([[EAGLE, [{ type: 'openrouter:web_search' }]]]);
  });
});

describe('budgets of playground runs', () => {
  const user = (amount: string) =>
    `Your monthly budget (${amount}) is used up, or set aside for requests under way. It begins anew on 2026-02-01 (UTC).`;

  it('of the user and of the deployment refuse platform models, and take no slot and nothing of the grant', async () => {
    const { store } = app.container;
    await store.setUserBudget(UMA, 0);
    expect(await playground.refusal()).toBe(user('$0.00'));
    expect(await grant()).toMatchObject({ usedTokens: 0, leasedTokens: 0 });
    await store.setUserBudget(UMA, null);
    await store.setServerBudget(0);
    await clock.advance(60_000);
    expect(await playground.refusal()).toBe(
      'The monthly budget of this server ($0.00) is used up, or set aside for requests under way. It begins anew on 2026-02-01 (UTC).',
    );
    expect(await month()).toBeUndefined();
  });
});
