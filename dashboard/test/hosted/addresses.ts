import type { HostedPages } from './hosted-pages';

/** The addresses of the site, besides the pages. */
export function addressTests({ open, current, pagesUrl, baseUrl }: HostedPages): void {
  it('has the reference and its description, and tells programs where the API is, which streams', async () => {
    const { page } = await open();
    await page.goto(`${pagesUrl()}/docs`);
    await page.getByRole('heading', { name: /Ensemble API/ }).waitFor();
    const status = async (path: string) => (await fetch(`${pagesUrl()}${path}`)).status;
    expect(await status('/v1/openapi.json')).toBe(200);
    expect([await status('/health'), await status('/healthz')]).toEqual([200, 200]);
    expect(await status('/dashboard/keys')).toBe(401);

    const [, key = ''] = /^API key: +(\S+)/m.exec(current().output()) ?? [];
    for (const path of [
      '/v1',
      '/v1/models',
      '/v1/chat/completions',
      '/chat/completions',
      '/responses',
      '/embeddings',
    ]) {
      const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
      const response = await fetch(`${pagesUrl()}${path}`, { method: 'POST', headers, body: '{"model": "ensemble"}' });
      const message = expect.stringMatching(new RegExp(`: use the base URL ${baseUrl()}$`)) as string;
      expect({ path, status: response.status, body: await response.json() }).toEqual({
        path,
        status: 404,
        body: { error: { message, type: 'invalid_request_error' } },
      });
    }
  });
}
