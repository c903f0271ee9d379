import type { App } from '../../../functions/test/support/app';
import { LOCAL_USER } from '../../../functions/test/support/dashboard';
import { reservation } from '../../../functions/test/support/store-records';
import { axeViolationsInAllLooks } from '../support/axe';
import { describeInBrowser } from '../support/browser';
import { startDashboard } from '../support/embedded';

const RUNS_A_MINUTE = 10;
const WINDOW_MS = 60_000;

describeInBrowser('limits and budgets in the playground', (open) => {
  /** The playground at the time of the service, with a prompt that is asked. */
  const ask = async ({ baseUrl, clock }: App) => {
    const opened = await open({ reducedMotion: 'reduce' });
    const { page } = opened;
    await page.clock.install({ time: clock.nowMs() });
    await page.goto(`${baseUrl}/play`);
    await page.getByRole('textbox', { name: 'Prompt' }).fill('Is a tomato a fruit?');
    await page.getByRole('button', { name: 'Run', exact: true, disabled: false }).waitFor();
    await page.keyboard.press('Control+Enter');
    await page.getByText('The run did not start').waitFor();
    return { opened, page };
  };
  /** Takes all slots of a minute. */
  const fill = async ({ container, clock }: App): Promise<void> => {
    const startedAtMs = clock.nowMs();
    const taken = Array.from({ length: RUNS_A_MINUTE }, (_, index) =>
      reservation(`taken-${index}`, { userId: LOCAL_USER, startedAtMs, calls: null }),
    );
    await container.store.admit({ name: 'byok', max: RUNS_A_MINUTE, windowMs: WINDOW_MS }, taken, startedAtMs);
  };

  it('say which limit it is and when to ask again; a button waits, can be told not to, and asks by itself', async () => {
    await using app = await startDashboard();
    await fill(app);
    const { opened, page } = await ask(app);
    await page.getByText('Rate limit exceeded: none of your 10 runs a minute is left').waitFor();
    const wait = page.getByRole('button', { name: /^Wait \d+ s and try again$/ });
    const cancel = page.getByRole('button', { name: /^Tries again in \d+ s: cancel$/ });
    // The clock of the page goes on by itself as well.
    const seconds = async () => Number(/\d+/.exec((await wait.textContent()) ?? ''));
    const atFirst = await seconds();
    expect(atFirst).toBeLessThanOrEqual(60);
    expect(await page.getByRole('alert').getByRole('button', { name: /again/ }).count()).toBe(0);
    await app.clock.advance(WINDOW_MS);
    await page.clock.fastForward(20_000);
    await wait.focus();
    expect(await seconds()).toBeLessThanOrEqual(atFirst - 20);
    expect(await seconds()).toBeGreaterThan(0);
    await page.keyboard.press('Enter');
    await cancel.waitFor();
    await page.keyboard.press('Enter');
    await wait.waitFor();
    await page.keyboard.press('Enter');
    await cancel.waitFor();
    expect(await axeViolationsInAllLooks(opened)).toEqual([]);
    await page.clock.fastForward(40_000);
    await page.waitForURL(/\/play\/[0-9a-f]{32}$/);
    expect(await page.getByText('The run did not start').count()).toBe(0);
  });

  it('let one ask at once when the time is over', async () => {
    await using app = await startDashboard();
    await fill(app);
    const { page } = await ask(app);
    await app.clock.advance(WINDOW_MS);
    await page.clock.fastForward(WINDOW_MS);
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.waitForURL(/\/play\/[0-9a-f]{32}$/);
  });

  it('let a comparison ask again', async () => {
    await using app = await startDashboard();
    await fill(app);
    const { page } = await open();
    await page.clock.install({ time: app.clock.nowMs() });
    await page.goto(`${app.baseUrl}/play/compare`);
    await page.getByRole('textbox', { name: 'Prompt' }).fill('Is a tomato a fruit?');
    await page.getByRole('button', { name: 'Run all' }).click();
    await page
      .getByRole('button', { name: /^Wait \d+ s and try again$/ })
      .nth(1)
      .waitFor();
    await app.clock.advance(WINDOW_MS);
    await page.clock.fastForward(WINDOW_MS);
    await page.getByRole('button', { name: 'Try again' }).first().click();
    await page.getByRole('link', { name: 'Open this run' }).waitFor();
  });

  it('call a budget by whose it is, and say when it begins anew; nothing tries again before', async () => {
    await using app = await startDashboard();
    await app.container.store.setUserBudget(LOCAL_USER, 500_000);
    await app.container.store.admit(
      { name: 'api', max: 9, windowMs: WINDOW_MS },
      [reservation('open', { userId: LOCAL_USER, month: '2026-01', estimateNanoUsd: 500_000 })],
      app.clock.nowMs(),
    );
    const { page } = await ask(app);
    const told =
      'Your monthly budget ($0.0005) is used up, or set aside for requests under way. It begins anew on 2026-02-01 (UTC).';
    await page.getByText(told).waitFor();
    expect(await page.getByRole('button', { name: /try again/i }).count()).toBe(0);
  });
});
