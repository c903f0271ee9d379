import type { Page } from 'playwright-core';
import { systemClock } from '../../../functions/src/lib/clock';
import type { App } from '../../../functions/test/support/app';
import { ask, LOCAL_USER } from '../../../functions/test/support/dashboard';
import { axeViolationsInAllLooks } from '../support/axe';
import { describeInBrowser } from '../support/browser';
import { startDashboard } from '../support/embedded';
import { sidewaysScroll } from '../support/sideways-scroll';
import { toldModels } from '../support/told-models';

const HOSTILE = '<img src=x onerror=alert(1)> ![x](https://evil.example/x.png)';
const FIRST = 'Is a tomato a fruit?';

/** Runs of two participants that go on from each other; the arbiter numbers its answers by those that were before. */
describeInBrowser('a conversation', (open) => {
  let app: App;
  /** The prompts of the drafts. */
  let seen: string[];
  beforeEach(async () => {
    seen = [];
    const { provider } = toldModels(({ purpose, providerModel, prompt }) => {
      const said = JSON.stringify(prompt);
      if (purpose === 'draft') seen.push(said);
      if (purpose === 'draft') return ['It is a fruit.'];
      if (purpose === 'follow_ups') return ['["Is a melon one?", "Is a nut?"]'];
      const before = said.match(/Answer \d/g)?.map((text) => Number(text.at(-1))) ?? [];
      return [`Answer ${Math.max(0, ...before) + 1} of ${providerModel}: **a berry**. ${HOSTILE}`];
    });
    app = await startDashboard({ clock: systemClock, provider });
  });
  afterEach(() => app.close());

  const isOver = (page: Page) => page.getByRole('button', { name: 'Replay', exact: true }).waitFor();
  /** The page of a first run, which is over. */
  const openFirst = async (fields: object = {}) => {
    const opened = await open({ reducedMotion: 'reduce' });
    const { page } = opened;
    const ai_ensemble = { models: ['demo-ada', 'demo-curie'], includeFollowUpPrompts: true };
    const body = { model: 'demo-ada', messages: [{ role: 'user', content: FIRST }], ai_ensemble, ...fields };
    await ask(app, { method: 'POST', path: 'runs', body });
    const [run] = await app.container.store.listRuns(LOCAL_USER, { max: 1 });
    page.setDefaultTimeout(20_000);
    await page.goto(`${app.baseUrl}/play/${run?.runId}`);
    await isOver(page);
    return opened;
  };
  /** Waits until another run is over than the one that was shown. */
  const next = async (page: Page, act: () => Promise<void>): Promise<void> => {
    const before = page.url();
    await act();
    await page.waitForURL((url) => url.href !== before);
    await isOver(page);
  };
  const box = (page: Page) => page.getByRole('textbox', { name: 'Your next message' });
  const say = (page: Page, text: string) =>
    next(page, async () => {
      await box(page).fill(text);
      await page.keyboard.press('Control+Enter');
    });
  const thread = (page: Page) => page.getByRole('region', { name: 'Conversation', exact: true });
  const turns = (page: Page) => thread(page).locator('ol > li');
  const answer = (page: Page) => page.getByRole('region', { name: 'Answer of the ensemble' }).getByRole('tabpanel');
  const question = (page: Page) => page.getByRole('region', { name: 'What was asked' });

  const versions = (page: Page) => question(page).getByRole('navigation', { name: 'Versions' });
  const isVersion = async (page: Page, number: number, of: number): Promise<void> => {
    await versions(page)
      .getByRole('link', { name: String(of) })
      .waitFor();
    expect(await versions(page).locator('[aria-current]').allTextContents()).toEqual([String(number)]);
    expect(await versions(page).getByRole('link').count()).toBe(of);
  };

  it('goes on with one’s own message and a suggested one: each model reads what was said, each turn has its cost', async () => {
    const { page } = await openFirst();
    await box(page).fill('And a cucumber?');
    await page.getByText(/at most \d+ calls/).waitFor();
    await next(page, () => page.getByRole('button', { name: 'Ask', exact: true }).click());
    expect(seen.slice(-2).map((text) => /Is a tomato a fruit\?.*Answer 1.*And a cucumber\?/.test(text))).toEqual([
      true,
      true,
    ]);
    await next(page, () => page.getByRole('button', { name: 'Is a melon one?' }).click());
    expect(seen.at(-1)).toMatch(/Is a tomato a fruit\?.*Answer 1.*And a cucumber\?.*Answer 2.*Is a melon one\?/);
    const costs = (await app.container.store.listRuns(LOCAL_USER, { max: 9 })).map((run) => run.costNanoUsd / 1e9);
    // All runs are of the same three calls and the follow-ups, at the same price.
    expect(new Set(costs).size).toBe(1);
    const told = (usd = 0) => `$${usd.toPrecision(3)}`;
    await turns(page)
      .nth(1)
      .getByText(`· ${told(costs[0])} ·`)
      .waitFor();
    await thread(page)
      .getByText(`3 turns, ${told((costs[0] ?? 0) * 3)} in all`)
      .waitFor();
    expect(await turns(page).getByText('And a cucumber?').count()).toBe(1);
    expect(await turns(page).count()).toBe(2);
  });

  it('is there after a reload and from the list of runs, with what came later, as far as its runs are kept', async () => {
    const { page } = await openFirst();
    const first = page.url();
    await say(page, 'And a cucumber?');
    await say(page, 'Why?');
    const shown = await thread(page).textContent();
    await page.reload();
    await isOver(page);
    await thread(page)
      .getByText(/in all/)
      .waitFor();
    expect(await thread(page).textContent()).toBe(shown);
    await page.goto(`${app.baseUrl}/play/runs`);
    await page.getByRole('link', { name: FIRST }).click();
    await isOver(page);
    await page.getByRole('link', { name: 'And a cucumber?' }).click();
    await question(page).getByText('And a cucumber?').waitFor();
    await page.getByRole('link', { name: 'Why?' }).click();
    await question(page).getByText('Why?').waitFor();
    await ask(app, { method: 'DELETE', path: `runs/${first.split('/').at(-1)}` });
    await page.reload();
    await turns(page).first().getByText('Its run is not kept.').waitFor();
    await turns(page).first().getByText('Answer 1').waitFor();
    await thread(page)
      .getByText(/^3 turns, at least \$/)
      .waitFor();
  });

  it('goes on anew from an earlier message or answer in other words, and the versions stay', async () => {
    const { page } = await openFirst();
    await say(page, 'And a cucumber?');
    await page.getByRole('button', { name: 'Edit message 1 and run again' }).click();
    const edit = page.getByRole('textbox', { name: 'Your message in other words' });
    await page.getByRole('button', { name: 'Cancel' }).click();
    await edit.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Edit message 1 and run again' }).click();
    await edit.fill('Is a pepper a fruit?');
    await next(page, () => page.keyboard.press('Control+Enter'));
    await question(page).getByText('Is a pepper a fruit?').waitFor();
    expect([await thread(page).count(), seen.at(-1)?.includes('tomato')]).toEqual([0, false]);
    await isVersion(page, 2, 2);
    await versions(page).getByRole('link', { name: '1' }).click();
    await question(page).getByText(FIRST).waitFor();
    await page.getByRole('link', { name: 'And a cucumber?' }).click();
    await page.getByRole('button', { name: 'Edit answer 1 and run again' }).click();
    await page.getByRole('textbox', { name: 'The answer in other words' }).fill('Answer 7: no.');
    await next(page, () => page.getByRole('button', { name: 'Run again', exact: true }).click());
    await question(page).getByText('And a cucumber?').waitFor();
    await answer(page).getByText('Answer 8').waitFor();
    await isVersion(page, 2, 2);
  });

  it('asks the same again with another strategy, or of one participant alone', async () => {
    const { page } = await openFirst();
    await next(page, async () => {
      await page.getByRole('button', { name: 'Run again with another strategy' }).click();
      await page.getByRole('menuitem', { name: 'Debate' }).click();
    });
    await question(page).getByText('Debate').waitFor();
    await isVersion(page, 2, 2);
    await page.getByRole('button', { name: 'Open all' }).click();
    await next(page, () => page.getByRole('button', { name: 'Ask this model alone: Demo Curie' }).click());
    await question(page).getByText('One model alone').waitFor();
    await isVersion(page, 3, 3);
    await answer(page).getByText('Answer 1 of demo-curie').waitFor();
  });

  it('says of a run that is not kept that it was not found, and shows none', async () => {
    const { page } = await openFirst();
    await page.goto(`${app.baseUrl}/play/${'0'.repeat(32)}`);
    await page.getByText('This run was not found').waitFor();
    expect(await page.getByText('Starting').count()).toBe(0);
  });

  it('shows in the form what it cannot run: a panel for one model alone, files that were not kept', async () => {
    const data = Buffer.from('{"a":1}').toString('base64');
    const { page } = await openFirst({
      ai_ensemble: {},
      attachments: [{ name: 'a.json', media_type: 'application/json', data }],
    });
    await page.getByRole('button', { name: 'Run again with another strategy' }).click();
    await page.getByRole('menuitem', { name: 'Debate' }).click();
    await page.getByText('Choose at least one participant.').waitFor();
    expect(await page.getByRole('textbox', { name: 'Prompt' }).inputValue()).toBe(FIRST);
    await page.getByRole('button', { name: 'Back to the run' }).click();
    await question(page).getByText(FIRST).waitFor();
  });

  it('goes on from a run that is not kept, and knows the cost of those that are', async () => {
    const { page } = await openFirst();
    await say(page, 'And a cucumber?');
    await page.getByRole('button', { name: 'Change and run again' }).click();
    await page.getByRole('button', { name: 'Options' }).click();
    await page.getByText('Keep the run, to see and resume it').click();
    await next(page, () => page.keyboard.press('Control+Enter'));
    await turns(page).first().getByText(/· \$0/).waitFor();
    await say(page, 'Why?');
    await answer(page).getByText('Answer 3').waitFor();
    await turns(page).nth(1).getByText('Its run is not kept.').waitFor();
  });

  it('keeps a message that was refused, and leads back to the run', async () => {
    const { page } = await openFirst();
    await page.route('**/dashboard/runs', (route) =>
      route.fulfill({ status: 429, json: { error: { message: 'Too many runs', type: 'rate_limit_error' } } }),
    );
    await box(page).fill('And a cucumber?');
    await page.keyboard.press('Control+Enter');
    await page.getByText('The run did not start').waitFor();
    expect(await page.getByRole('textbox', { name: 'Prompt' }).inputValue()).toBe('And a cucumber?');
    await page.getByRole('button', { name: 'Back to the run' }).click();
    await isOver(page);
    await page.unroute('**/dashboard/runs');
    await say(page, 'And a cucumber?');
    await answer(page).getByText('Answer 2').waitFor();
  });

  it('shows the newest turns of many, the question at the top of the window, and keeps what is typed through a reload', async () => {
    const earlier = Array.from({ length: 5 }, (_, at) => [
      { role: 'user', content: `Question ${at + 1}` },
      { role: 'assistant', content: `${HOSTILE} ${'word '.repeat(20_000)}` },
    ]);
    const { page } = await openFirst({ messages: [...earlier.flat(), { role: 'user', content: FIRST }] });
    await turns(page).getByText('Question 5').waitFor();
    expect(
      await turns(page)
        .getByText(/^Question/)
        .allTextContents(),
    ).toEqual([3, 4, 5].map((at) => `Question ${at}`));
    const isAtTop = () =>
      page.waitForFunction(() => {
        const { top = -1 } = document.querySelector('[aria-label="What was asked"]')?.getBoundingClientRect() ?? {};
        return top >= 0 && top < 100;
      });
    await isAtTop();
    await page.getByRole('button', { name: 'Show the first 2 turns' }).click();
    expect(await turns(page).count()).toBe(5);
    await box(page).fill('And a cucumber?');
    await page.reload();
    expect(await box(page).inputValue()).toBe('And a cucumber?');
    await box(page).press('Control+Enter');
    await isOver(page);
    await isAtTop();
  });

  it('has no flaw that axe finds, open and folded, in both themes, and fits a phone', async () => {
    const opened = await openFirst();
    const { page } = opened;
    await say(page, 'And a cucumber?');
    await page.getByRole('button', { name: 'Show all of answer 1' }).click();
    await turns(page).first().getByText('image: x (evil.example)').waitFor();
    await page.getByRole('button', { name: 'Edit answer 1 and run again' }).click();
    await page.getByRole('textbox', { name: 'The answer in other words' }).waitFor();
    expect(await axeViolationsInAllLooks(opened)).toEqual([]);
    await page.setViewportSize({ width: 320, height: 800 });
    expect(await sidewaysScroll(page)).toBe(0);
  });
});
