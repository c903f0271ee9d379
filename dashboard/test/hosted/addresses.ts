import type { HostedPages } from './hosted-pages';

/** What is at which address of the site, besides the pages. */
export function addressTests({ open, pagesUrl }: HostedPages): void {
  it('has the reference and its description, and no API for programs: that would be without streams', async () => {
    const { page } = await open();
    await page.goto(`${pagesUrl()}/docs`);
    await page.getByRole('heading', { name: /Ensemble API/ }).waitFor();
    const status = async (path: string) => (await fetch(`${pagesUrl()}${path}`)).status;
    expect(await status('/v1/openapi.json')).toBe(200);
    expect(await status('/healthz')).toBe(200);
    expect(await status('/v1/models')).toBe(404);
    expect(await status('/dashboard/keys')).toBe(401);
  });
}
