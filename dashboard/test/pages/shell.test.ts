import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describeInBrowser } from '../support/browser';
import { startDashboard } from '../support/embedded';

describeInBrowser('the dashboard on a machine of one’s own', (open) => {
  it('opens signed in, at the address of the server, on the playground', async () => {
    await using app = await startDashboard();
    const { page } = await open();
    await page.goto(app.baseUrl);
    await page.getByRole('heading', { name: 'Playground', level: 1 }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/play');
    expect(await page.title()).toBe('Playground · Ensemble API');
  });

  it('says at an unknown address that nothing is there, and leads back; below the API it says it as the API does', async () => {
    await using app = await startDashboard();
    const { page } = await open();
    const status = async (path: string) => (await page.goto(app.baseUrl + path))?.status();
    expect([await status('/nowhere'), await status('/keys/nowhere'), await status('/play/a/b')]).toEqual([
      404, 404, 404,
    ]);
    await page.getByRole('heading', { name: 'No such page', level: 1 }).waitFor();
    await page.getByRole('link', { name: 'Go to the dashboard' }).click();
    await page.getByRole('heading', { name: 'Playground', level: 1 }).waitFor();
    expect(await status('/v1/nowhere')).toBe(404);
    expect(JSON.parse((await page.textContent('body')) ?? '')).toHaveProperty('error.message');
  });

  it('says below a path of a host, where it cannot load, that it needs a host of its own', async () => {
    await using app = await startDashboard();
    // As proxies do that have the service below a path: it is taken off, and nothing else of the host is the service's.
    const proxy = createServer(async ({ url = '' }, response) => {
      if (!url.startsWith('/ensemble/')) return response.writeHead(404).end();
      const reply = await fetch(app.baseUrl + url.slice('/ensemble'.length), {
        headers: { accept: 'text/html', 'accept-encoding': 'identity' },
      });
      return response.writeHead(reply.status, Object.fromEntries(reply.headers)).end(await reply.text());
    }).listen(0, '127.0.0.1');
    await once(proxy, 'listening');
    const { page } = await open();
    await page.goto(`http://127.0.0.1:${(proxy.address() as AddressInfo).port}/ensemble/play`);
    await page.getByText('It works at the root of a host').waitFor();
    await page.goto(`${app.baseUrl}/play`);
    await page.getByRole('heading', { name: 'Playground', level: 1 }).waitFor();
    expect(await page.getByText('It works at the root of a host').count()).toBe(0);
    proxy.close();
    await once(proxy, 'close');
  });

  it('keeps the chosen theme, which a first visit takes from the system', async () => {
    await using app = await startDashboard();
    const { page } = await open({ colorScheme: 'dark' });
    await page.goto(app.baseUrl);
    const ground = () => page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
    await page.getByRole('heading', { level: 1 }).waitFor();
    const dark = await ground();
    await page.getByRole('button', { name: /account and theme/ }).click();
    await page.getByRole('menuitemradio', { name: 'Light' }).click();
    const light = await ground();
    expect(light).not.toBe(dark);
    await page.reload();
    expect(await ground()).toBe(light);
  });
});
