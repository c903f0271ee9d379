import type { Page } from 'playwright-core';
import { systemClock } from '../../../functions/src/lib/clock';
import type { ModelProvider } from '../../../functions/src/models/model';
import { axeViolations } from '../support/axe';
import { describeInBrowser } from '../support/browser';
import { startDashboard } from '../support/embedded';
import { HOSTILE_TEXTS } from '../support/hostile-texts';
import { type Saying, toldModels } from '../support/told-models';

const TINY_CHUNKS = 10_000;
const HUGE_CHARACTERS = 2_000_000;

/** Ada and Dissenter write, Slow in the middle of a word waits, Unreliable fails for good; then Ada answers. */
const PANEL: Record<string, Saying> = {
  'demo-ada draft': ['A tomato is a fruit.\n\n- It has **seeds**.'],
  'demo-ada revise': ['A tomato is a berry.'],
  'demo-slow draft': ['In the kit', { wait: 'slow' }, 'chen it is none.'],
  'demo-slow revise': ['In the kitchen it is none.'],
  'demo-unreliable draft': [{ fault: 'not_found' }],
  'demo-dissenter draft': ['It is neither.'],
  'demo-dissenter revise': ['It is neither.'],
  'demo-ada analyse': ['{"winner": null, "rationale": "Both are right."}'],
  'demo-ada answer': ['It is ', { wait: 'answer' }, '**a berry**.'],
  'demo-ada follow_ups': ['["Is a cucumber one?", "Is a melon?", "Is a nut?"]'],
};

/** In real time, so that what is written at intervals is. */
const start = (provider: ModelProvider) => startDashboard({ provider, clock: systemClock });
const panel = () => toldModels(({ providerModel, purpose }) => PANEL[`${providerModel} ${purpose}`] ?? ['Nothing.']);

describeInBrowser('a run in the playground', (open) => {
  const begin = async (page: Page, baseUrl: string, prompt = 'Is a tomato a fruit?'): Promise<void> => {
    page.setDefaultTimeout(20_000);
    await page.goto(`${baseUrl}/play`);
    await page.getByRole('textbox', { name: 'Prompt' }).fill(prompt);
    await page.getByRole('button', { name: 'Run', exact: true, disabled: false }).waitFor();
    await page.keyboard.press('Control+Enter');
    // By its address: a short run may be over before its button Stop is seen.
    await page.waitForURL(/\/play\/[^/]+$/);
  };
  const card = (page: Page, name: string) => page.getByRole('article', { name: new RegExp(name) });
  const answer = (page: Page) => page.getByRole('region', { name: 'Answer of the ensemble' });
  const openDrafts = (page: Page) => page.getByRole('button', { name: 'Open all' }).click();
  const isComplete = (page: Page) => page.getByText('Complete', { exact: true }).first().waitFor();

  it('shows each participant as it writes, what a failure means, and the answer with why and who said what', async () => {
    const models = panel();
    await using app = await start(models.provider);
    const opened = await open({ reducedMotion: 'reduce' });
    const { page } = opened;
    await begin(page, app.baseUrl);
    await card(page, 'Demo Slow').getByText('In the kit', { exact: true }).waitFor();
    await card(page, 'Demo Ada').getByText('Done in').waitFor();
    expect(await card(page, 'Demo Ada').getByRole('listitem').textContent()).toBe('It has seeds.');
    await card(page, 'Demo Unreliable').getByText('Failed: not found').waitFor();
    await card(page, 'Demo Unreliable').getByText('The others go on without it.').waitFor();
    expect(await axeViolations(opened)).toEqual([]);
    models.go('slow');
    await answer(page).getByText('It is', { exact: true }).waitFor();
    await openDrafts(page);
    await card(page, 'Demo Ada')
      .getByText(/^Saw: .*Demo Dissenter as “[A-C]”/)
      .waitFor();
    models.go('answer');
    await isComplete(page);
    await card(page, 'Demo Unreliable').getByText('The answer was made from 3 of 4 participants.').waitFor();
    expect(await answer(page).getByRole('tabpanel').locator('strong').textContent()).toBe('a berry');
    await card(page, 'Demo Ada').getByRole('button', { name: 'Show changes' }).click();
    await card(page, 'Demo Ada').locator('ins').first().waitFor();
    expect(await card(page, 'Demo Ada').locator('ins').allInnerTexts()).toContain('berry');
    await card(page, 'Demo Ada').getByRole('button', { name: '1 · Draft' }).click();
    await answer(page).getByRole('tab', { name: 'Who said what' }).click();
    await answer(page)
      .getByRole('button', { name: /^D Demo Dissenter: / })
      .click();
    await answer(page).getByText('It is neither.').waitFor();
    await answer(page).getByRole('tab', { name: 'Why' }).click();
    await answer(page)
      .getByText(/Demo Unreliable/)
      .first()
      .waitFor();
    await page.getByRole('button', { name: 'The timeline as a table' }).click();
    await page.getByRole('row', { name: /Demo Unreliable Draft, round 1 .* Failed: not found/ }).waitFor();
    await page.emulateMedia({ colorScheme: 'dark' });
    // From the top: elsewhere the bar that stays in view covers a part of what is scrolled below it.
    await page.evaluate(() => scrollTo(0, 0));
    expect(await axeViolations(opened)).toEqual([]);
  });

  it('goes on where the connection broke off, without a lost or doubled character, and after a reload', async () => {
    const models = panel();
    await using app = await start(models.provider);
    const { page } = await open();
    await begin(page, app.baseUrl);
    await card(page, 'Demo Slow').getByText('In the kit', { exact: true }).waitFor();
    app.server.closeAllConnections();
    await page.getByText('The connection is lost.').waitFor();
    models.go('slow');
    await answer(page).getByText('It is', { exact: true }).waitFor();
    await openDrafts(page);
    await card(page, 'Demo Slow').getByRole('button', { name: '1 · Draft' }).click();
    await card(page, 'Demo Slow').getByText('In the kitchen it is none.', { exact: true }).waitFor();
    await page.reload();
    await answer(page).getByText('It is', { exact: true }).waitFor();
    models.go('answer');
    await isComplete(page);
    const shown = async () => {
      await openDrafts(page);
      return page.locator('main').locator('article, figure, dl, [role=tabpanel]').allTextContents();
    };
    const live = await shown();
    expect(live.join()).toContain('It is a berry.');
    await page.reload();
    await isComplete(page);
    await answer(page).getByText('It is a berry.').waitFor();
    expect(await shown()).toEqual(live);
    await page.getByRole('button', { name: 'Replay', exact: true }).click();
    await page.getByRole('button', { name: 'To the end' }).click();
    await isComplete(page);
    expect(await shown()).toEqual(live);
  });

  it('is stopped with Escape, and the models with it', async () => {
    const models = panel();
    await using app = await start(models.provider);
    const { page } = await open();
    await begin(page, app.baseUrl);
    await card(page, 'Demo Slow').getByText('In the kit', { exact: true }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByText('Stopped', { exact: true }).first().waitFor();
    await answer(page).getByText('The run was stopped before an answer was written.').waitFor();
    expect(models.aborted).toEqual(['demo-slow']);
    const id = page.url().split('/').at(-1);
    const [run, usage] = await page.evaluate(
      (paths) => Promise.all(paths.map(async (path) => (await fetch(path)).json())),
      [`/dashboard/runs/${id}`, '/dashboard/usage'],
    );
    const { promptTokens, completionTokens, costNanoUsd } = run;
    const booked = { requests: 1, promptTokens, completionTokens, costUsd: costNanoUsd / 1e9 };
    expect(promptTokens).toBeGreaterThan(0);
    expect(usage.months.at(-1)).toMatchObject(booked);
    await page.getByText(`${promptTokens} + ${completionTokens}`).waitFor();
  });

  it('shows hostile texts as texts: nothing is fetched, nothing runs, and the page stays alive', async () => {
    const small = HOSTILE_TEXTS.filter(({ length }) => length < 1_000).join('\n\n');
    const huge = `${'word '.repeat(HUGE_CHARACTERS / 10)}\n\n${'x'.repeat(HUGE_CHARACTERS / 2)}`;
    const texts: Record<string, Saying> = {
      'demo-ada': [small],
      'demo-slow': [huge],
      'demo-unreliable': Array.from({ length: TINY_CHUNKS }, (_, at) => (at % 50 === 0 ? '\n\n' : '*a')),
      'demo-dissenter': ['Harmless.'],
    };
    const models = toldModels(({ providerModel }) => texts[providerModel] ?? ['Nothing.']);
    await using app = await start(models.provider);
    const { page, flaws } = await open();
    const dialogs: string[] = [];
    page.on('dialog', (dialog) => {
      dialogs.push(dialog.message());
      void dialog.dismiss();
    });
    await begin(page, app.baseUrl);
    await isComplete(page);
    await openDrafts(page);
    await page.getByText('image: alt (evil.example)').first().waitFor();
    const tags = await page.evaluate(() =>
      [...document.querySelectorAll('article *, [role=tabpanel] *')].map(({ tagName }) => tagName.toLowerCase()),
    );
    const active = ['script', 'img', 'iframe', 'object', 'embed', 'style', 'link', 'form', 'video', 'audio', 'base'];
    expect(tags.filter((tag) => active.includes(tag))).toEqual([]);
    await card(page, 'Demo Slow').getByRole('button', { name: 'Show all' }).click();
    await card(page, 'Demo Slow').getByRole('button', { name: 'Show all' }).waitFor({ state: 'detached' });
    expect([dialogs, flaws, await page.title()]).toEqual([[], [], 'Is a tomato a fruit? · Ensemble API']);
  });
});
