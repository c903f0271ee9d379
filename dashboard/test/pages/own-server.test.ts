import type { Page } from 'playwright-core';
import { systemClock } from '../../../functions/src/lib/clock';
import type { AppOptions } from '../../../functions/test/support/app';
import {
  type Exchange,
  event,
  type Reply,
  sendEvents,
  sendStatus,
  startFakeUpstream,
} from '../../../functions/test/support/fake-upstream';
import { axeViolationsInAllLooks } from '../support/axe';
import { describeInBrowser } from '../support/browser';
import { startDashboard } from '../support/embedded';
import { sidewaysScroll } from '../support/sideways-scroll';

const LONG_ID = `hf.co/somebody/${'A-Long-Name-Of-A-Merged-Model-'.repeat(4)}GGUF:Q4`;
const IDS = ['llama3.2:3b', 'llava:13b', 'qwen3:8b', 'nomic-embed-text', LONG_ID];
const ANSWER = sendEvents(event({ choices: [{ index: 0, delta: { content: 'A berry.' }, finish_reason: 'stop' }] }));
/** One dot. */
const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

/** A server as Ollama is one: it lists ids and nothing else, and one of its models sees images. */
async function startOwnServer() {
  const state = { isDown: false, ids: IDS };
  const chat: Reply = (exchange: Exchange) => {
    const { body } = exchange.request;
    const isBlind = body.includes('image_url') && !body.includes('"model":"llava');
    const refusal = { error: { message: 'this model does not support image input', type: 'invalid_request_error' } };
    return isBlind ? sendStatus(400, refusal)(exchange) : ANSWER(exchange);
  };
  const server = await startFakeUpstream((exchange) => {
    if (exchange.request.method === 'POST') return chat(exchange);
    const list = { object: 'list', data: state.ids.map((id) => ({ id, object: 'model', owned_by: 'library' })) };
    return state.isDown ? sendStatus(503, 'down')(exchange) : sendStatus(200, list)(exchange);
  });
  return {
    state,
    requests: server.requests,
    env: { OPENAI_BASE_URL: `${server.url}/v1`, DEFAULT_MODEL: 'llama3.2:3b' },
    [Symbol.asyncDispose]: () => server.close(),
  };
}

describeInBrowser('the models of a server of one’s own', (open) => {
  const show = async (env: Record<string, string>, options: AppOptions = {}, path = '/play') => {
    const app = await startDashboard({ providers: {}, env, ...options });
    const opened = await open({ reducedMotion: 'reduce' });
    await opened.page.goto(app.baseUrl + path);
    await opened.page.getByRole('heading', { level: 1 }).waitFor();
    return { ...opened, opened, app, [Symbol.asyncDispose]: () => app.close() };
  };
  const openPicker = async (page: Page) => {
    await page.getByRole('button', { name: 'Add', exact: true }).first().click();
    const dialog = page.getByRole('dialog', { name: 'Add participants' });
    await dialog.getByRole('option').first().waitFor();
    return dialog;
  };
  const participants = (page: Page) =>
    page.getByRole('group', { name: 'Participants' }).getByRole('listitem').allInnerTexts();

  it.each(['/play', '/play/compare'])(
    'are offered by the picker of %s, with what is not known said so',
    async (path) => {
      await using server = await startOwnServer();
      await using shown = await show(server.env, {}, path);
      const dialog = await openPicker(shown.page);
      expect(await dialog.getByRole('option').allInnerTexts()).toEqual(
        IDS.filter((id) => id !== 'nomic-embed-text').map((id) => `${id}\nown server · vision and tools not known`),
      );
      await dialog.getByRole('option').nth(3).click();
      expect(await axeViolationsInAllLooks(shown.opened)).toEqual([]);
      await shown.page.setViewportSize({ width: 320, height: 800 });
      expect(await sidewaysScroll(shown.page)).toBe(0);
    },
  );

  it('take several seats in one go, beside any other id, with the keyboard alone', async () => {
    await using server = await startOwnServer();
    await using shown = await show(server.env);
    const { page } = shown;
    const dialog = await openPicker(page);
    await page.keyboard.type('qwen3:8b');
    await dialog.getByText('1 of 4 models').waitFor();
    for (const key of ['Tab', 'Space', 'Tab', 'Tab', 'Enter', 'Enter']) await page.keyboard.press(key);
    await dialog.getByRole('button', { name: 'Add 3 seats' }).waitFor();
    await dialog.getByLabel('Search by name, or enter any id').fill('me/not-listed:q4');
    await dialog.getByText('No model has these words in its name.').waitFor();
    for (const key of ['Tab', 'Space']) await page.keyboard.press(key);
    await dialog.getByRole('button', { name: 'Remove one qwen3:8b' }).press('Enter');
    await dialog.getByRole('button', { name: 'Add 3 seats' }).press('Enter');
    await dialog.waitFor({ state: 'detached' });
    const given = ['llama3.2:3b', 'llama3.2:3b', 'llama3.2:3b'];
    const seated = [...given, 'qwen3:8b', 'qwen3:8b', 'me/not-listed:q4'];
    expect(await participants(page)).toEqual([
      ...seated.map((id, at) => expect.stringMatching(new RegExp(`^${'ABCDEF'[at]}\\s*${id}`))),
      'Add',
    ]);
  });

  it('are no more seats than there is room for', async () => {
    await using server = await startOwnServer();
    await using shown = await show(server.env);
    const dialog = await openPicker(shown.page);
    await dialog.getByRole('option', { name: 'llava:13b' }).click();
    const more = dialog.getByRole('button', { name: 'Add one llava:13b' });
    // Three of sixteen are taken.
    for (let seats = 1; seats < 13; seats += 1) await more.click();
    expect(await more.isDisabled()).toBe(true);
    await dialog.getByRole('button', { name: 'Add 13 seats' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect(await participants(shown.page)).toHaveLength(16);
  });

  it('are shown images, and a refusal of theirs reads as what it is', async () => {
    await using server = await startOwnServer();
    await using shown = await show(server.env, { clock: systemClock });
    const { page } = shown;
    await page.locator('input[type=file]').setInputFiles({
      name: 'dot.png',
      mimeType: 'image/png',
      buffer: Buffer.from(PNG, 'base64'),
    });
    await page.getByText('It is not known if llama3.2:3b can see images. The run tries').waitFor();
    await page.getByRole('radio', { name: 'One model alone' }).check({ force: true });
    await page.getByRole('textbox', { name: 'Prompt' }).fill('What is this?');
    expect(await axeViolationsInAllLooks(shown.opened)).toEqual([]);
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await page.getByText('The model failed: llama3.2:3b (takes no images)', { exact: true }).waitFor();
  });

  it('are those of its last list while it is down, and those that it has by now when the picker opens', async () => {
    await using server = await startOwnServer();
    await using shown = await show(server.env, {}, '/models');
    const { page, app } = shown;
    const table = page.getByRole('table', { name: 'Platform models' });
    await table.getByText('qwen3:8b').waitFor();
    server.state.isDown = true;
    await app.clock.advance(30_000);
    await page.reload();
    await page.getByRole('status').getByText('gives no list: it answers GET /models with status 503.').waitFor();
    await table.getByText('qwen3:8b').waitFor();
    expect(await axeViolationsInAllLooks(shown.opened)).toEqual([]);
    await page.goto(`${app.baseUrl}/play`);
    await page.getByRole('button', { name: 'Add', exact: true }).waitFor();
    server.state.isDown = false;
    server.state.ids = [...IDS, 'just-pulled'];
    await app.clock.advance(10_000);
    const dialog = await openPicker(page);
    await dialog.getByRole('option', { name: 'just-pulled' }).waitFor();
    expect(await dialog.getByText('gives no list').count()).toBe(0);
  });
});
