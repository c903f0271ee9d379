import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { systemClock } from '../../../functions/src/lib/clock';
import type { App } from '../../../functions/test/support/app';
import { ask } from '../../../functions/test/support/dashboard';
import { axeViolationsInAllLooks } from '../support/axe';
import { describeInBrowser } from '../support/browser';
import { DIST, startDashboard } from '../support/embedded';
import { hostSession } from '../support/hosted-session';
import { startRouter } from '../support/router';
import { toldModels } from '../support/told-models';
import { seedUsage } from '../support/usage';

const ASSETS = join(DIST, 'assets');
const SCRIPTS = '**/assets/*.js';
const PROMPT = 'A prompt that took a while to write';
/** The address of a run, which is begun before. */
const RUN = '/play/RUN';

/** Drafts that differ, so that there is something to revise. */
const SAID: Readonly<Record<string, string>> = {
  'demo-ada draft': 'A tomato is a fruit.',
  'demo-ada revise': 'A tomato is a berry.',
  'demo-curie draft': 'In the kitchen it is none.',
};

type Act = (page: Page) => Promise<unknown>;
const nothing: Act = async () => undefined;
const press =
  (name: string | RegExp): Act =>
  (page) =>
    page.getByRole('button', { name }).first().click();
const tab =
  (name: string): Act =>
  (page) =>
    page.getByRole('tab', { name }).first().click();

const changes: Act = async (page) => {
  await press('Open all')(page);
  await press('Show changes')(page);
};

interface Part {
  readonly program: string;
  readonly at: string;
  /** Has it shown, where the page does not do so by itself. */
  readonly show: Act;
}

/** The pages, by their own programs. */
const PAGES: readonly Part[] = [
  { program: 'play-page', at: '/play', show: nothing },
  { program: 'play-page', at: RUN, show: nothing },
  { program: 'runs-page', at: '/play/runs', show: nothing },
  { program: 'compare-page', at: '/play/compare', show: nothing },
  { program: 'study-page', at: '/play/study', show: nothing },
  { program: 'keys-page', at: '/keys', show: nothing },
  { program: 'usage-page', at: '/usage', show: nothing },
  { program: 'models-page', at: '/models', show: nothing },
  { program: 'plan-page', at: '/plan', show: nothing },
];
/** The parts of pages that are loaded by themselves. */
const PARTS: readonly Part[] = [
  { program: 'account-menu-list', at: '/keys', show: press(/account and theme/) },
  { program: 'history-fields', at: '/play', show: press('Earlier messages') },
  { program: 'instruction-fields', at: '/play', show: press('Instructions') },
  { program: 'option-fields', at: '/play', show: press('Options') },
  { program: 'run-code', at: '/play', show: press('Call this from code') },
  { program: 'choose-models', at: '/play', show: press(/^Add$/) },
  { program: 'run-view', at: RUN, show: nothing },
  { program: 'verdict-why', at: RUN, show: tab('Why') },
  { program: 'evaluate-run', at: RUN, show: tab('Evaluate') },
  { program: 'call-changes', at: RUN, show: changes },
  { program: 'share-run', at: RUN, show: press('Share …') },
  { program: 'thread-view', at: RUN, show: nothing },
  { program: 'under-answer', at: RUN, show: nothing },
  { program: 'other-strategy', at: RUN, show: nothing },
  { program: 'presets-dialog', at: '/play', show: press('Presets') },
  { program: 'request-log', at: '/usage?per=request', show: nothing },
  { program: 'usage-chart', at: '/usage', show: nothing },
  { program: 'add-router-models', at: '/models', show: press('Add models') },
];
/** Those of pages for who is not signed in. */
const WITHOUT_SHELL = ['firebase-session', 'sign-in-page', 'confirm-dialog', 'index.esm', 'shared-page'];

/** Those in whose place something else stands: that a file could not be read, the text as it is. */
const TOLD_OTHERWISE = ['read-run-file', 'render-formula', 'highlighted-code'];
/** Those without which texts are shown as they were written, and a page outside of the others: tests of their own. */
const TESTED_ELSEWHERE = ['render-formula', 'highlighted-code', 'shared-page'];

/** Programs that the server does not send: it is down, or has a newer build, with other names. */
describeInBrowser('a page of which a program does not come', (open) => {
  const closing = new AsyncDisposableStack();
  let app: App;
  let run: string;
  beforeAll(async () => {
    const { provider } = toldModels(({ providerModel, purpose }) => [SAID[`${providerModel} ${purpose}`] ?? 'Both.']);
    const router = closing.use(await startRouter());
    app = closing.use(await startDashboard({ clock: systemClock, provider, env: router.env }));
    const body = {
      model: 'demo-ada',
      messages: [
        { role: 'user', content: 'What is a tomato?' },
        { role: 'assistant', content: 'A plant.' },
        { role: 'user', content: 'Is it a fruit?' },
      ],
      ai_ensemble: { models: ['demo-ada', 'demo-curie'], rounds: 2 },
    };
    await ask(app, { method: 'POST', path: 'runs', body });
    const { body: list } = await ask<{ data: { id: string }[] }>(app, { path: 'runs' });
    run = `/play/${list.data[0]?.id}`;
    await seedUsage(app, [{ month: new Date().toISOString().slice(0, 7), model: 'gpt-5.5', cents: 100 }]);
    await ask(app, { method: 'PUT', path: 'router-key', body: { key: 'sk-or-0123456789' } });
  });
  afterAll(() => closing.disposeAsync());

  const go = (page: Page, at: string) => page.goto(app.baseUrl + (at === RUN ? run : at));
  const reload = (page: Page) => page.getByRole('alert').getByRole('button', { name: 'Reload' });

  /** Opens what a program makes, which is refused. */
  const goWithout = async ({ program, at, show }: Part) => {
    const { page } = await open();
    page.setDefaultTimeout(20_000);
    await refuse(page, program);
    await go(page, at);
    await show(page);
    await page
      .getByRole('alert')
      .getByText(/could not be loaded/)
      .or(page.getByRole('heading', { name: /could not be loaded/ }))
      .first()
      .waitFor();
    return page;
  };

  it.each([...PAGES, ...PARTS])('$program at $at: says so in its place', async (part) => {
    const page = await goWithout(part);
    expect(await page.getByRole('navigation', { name: 'Pages' }).isVisible()).toBe(true);
    expect(await page.getByRole('heading', { level: 1 }).count()).toBe(1);
    expect(await reload(page).count()).toBeGreaterThan(0);
  });

  it.each([...PAGES.slice(0, 1), ...PARTS.slice(0, 1)])(
    '$program at $at: goes on when it is reloaded',
    async (part) => {
      const page = await goWithout(part);
      await page.unroute(SCRIPTS);
      await reload(page).click();
      await reload(page).first().waitFor({ state: 'detached' });
      await part.show(page);
      await page.waitForFunction(
        (program) => performance.getEntriesByType('resource').some(({ name }) => name.includes(`/${program}-`)),
        part.program,
      );
      expect(await reload(page).count()).toBe(0);
    },
  );

  it('has nothing else that is loaded later', () => {
    const names = readdirSync(ASSETS).filter((name) => name.endsWith('.js'));
    const later = names.flatMap((name) =>
      [...readFileSync(join(ASSETS, name), 'utf8').matchAll(/import\([`"']\.\/([^`"']+?)-[\w-]{8}\.js/g)].map(
        ([, program = '']) => program,
      ),
    );
    const known = [...PAGES, ...PARTS]
      .map(({ program }) => program)
      .concat(WITHOUT_SHELL, TOLD_OTHERWISE, TESTED_ELSEWHERE);
    expect([...new Set(later)].filter((program) => !known.includes(program))).toEqual([]);
    expect(new Set(later).size).toBeGreaterThan(15);
  });

  it('keeps what was typed, has no flaw that axe finds, and is left by choosing another page', async () => {
    const opened = await open({ reducedMotion: 'reduce' });
    const { page } = opened;
    await refuse(page, 'history-fields');
    await go(page, '/play');
    await page.getByRole('textbox', { name: 'Prompt' }).fill(PROMPT);
    await press('Earlier messages')(page);
    await reload(page).waitFor();
    expect(await page.getByRole('textbox', { name: 'Prompt' }).inputValue()).toBe(PROMPT);
    expect(await axeViolationsInAllLooks(opened)).toEqual([]);
    await reload(page).click();
    await reload(page).waitFor({ state: 'detached' });
    expect(await page.getByRole('textbox', { name: 'Prompt' }).inputValue()).toBe(PROMPT);
    await refuse(page, 'models-page');
    await page.getByRole('link', { name: 'Models' }).click();
    await page.getByRole('heading', { name: 'This page could not be loaded', level: 1 }).waitFor();
    expect(await axeViolationsInAllLooks(opened)).toEqual([]);
    await page.unroute(SCRIPTS);
    await page.getByRole('link', { name: 'Plan' }).click();
    await page.getByRole('heading', { name: 'Plan', level: 1 }).waitFor();
    await page.getByRole('link', { name: 'Models' }).click();
    await page.getByRole('heading', { name: 'Models', level: 1 }).waitFor();
  });

  it('is reloaded by itself where the server has a newer build, and only once', async () => {
    const { page } = await open();
    await go(page, '/plan');
    await page.getByRole('heading', { name: 'Plan', level: 1 }).waitFor();
    await refuse(page, 'keys-page');
    let asked = 0;
    await page.route('**/play', async (route) => {
      asked += 1;
      const response = await route.fetch();
      const body = (await response.text()).replace(/\/assets\/index-[\w-]+\.js/, '/assets/index-newer.js');
      await route.fulfill({ response, body });
    });
    let loads = 0;
    page.on('load', () => {
      loads += 1;
    });
    await page.getByRole('link', { name: 'API keys' }).click();
    await page.getByRole('heading', { name: 'This page could not be loaded', level: 1 }).waitFor();
    // After the reload the page asks again, and stays: it has left this build once.
    expect(loads).toBe(1);
    expect(asked).toBeGreaterThanOrEqual(2);
  });

  it('says that it is at fault itself where it fails with what it has, and is left by choosing another', async () => {
    const { page } = await open();
    await page.route('**/dashboard/plan', (route) => route.fulfill({ json: { tier: 1 } }));
    await go(page, '/plan');
    await page.getByRole('heading', { name: 'This page has failed', level: 1 }).waitFor();
    await page.getByRole('link', { name: 'Usage' }).click();
    await page.getByRole('heading', { name: 'Usage', level: 1 }).waitFor();
  });

  it('says it without a shell, too: where users sign in, and of a shared run', async () => {
    const { page } = await open();
    await refuse(page, 'shared-page');
    await go(page, '/shared/some-run');
    await page.getByRole('heading', { name: 'This page could not be loaded', level: 1 }).waitFor();
    await hostSession(page, app);
    await refuse(page, 'sign-in-page');
    await go(page, '/keys');
    await page.getByRole('heading', { name: 'This page could not be loaded', level: 1 }).waitFor();
    await page.unroute(SCRIPTS);
    await refuse(page, 'firebase-session');
    await page.reload();
    await page.getByRole('alert').getByText('The dashboard could not be opened').waitFor();
  });

  it('says it where nothing of the page comes but its document and styles', async () => {
    const { page } = await open();
    await refuse(page, 'index');
    await go(page, '/keys');
    await page.getByText('The dashboard has not loaded').waitFor();
  });
});

/** Answers 404 to a program, until another is refused. */
async function refuse(page: Page, program: string): Promise<void> {
  await page.unroute(SCRIPTS);
  await page.route(SCRIPTS, (route) =>
    nameOf(route.request().url()).startsWith(`${program}-`) ? route.fulfill({ status: 404 }) : route.fallback(),
  );
}

function nameOf(url: string): string {
  return url.split('/').at(-1) ?? '';
}
