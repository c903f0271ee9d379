import type { Page, Request } from 'playwright-core';
import { EMAIL, type HostedPages, OWNER, PROJECT } from './hosted-pages';

/** Demo models have something to say about it. */
const PROMPT = 'Is a tomato a fruit?';
const SLOW_BEGINS = 'Yes in botany';

/** A run of the suggested panel, from the pages on Hosting to Firestore and back. */
export function playgroundTests({ open, current, baseUrl, pagesUrl, signIn }: HostedPages): void {
  const slow = (page: Page) => page.getByRole('article', { name: /Demo Slow/ });
  const complete = (page: Page) => page.getByText('Complete', { exact: true }).first();
  const shown = (page: Page) => page.locator('main').locator('article, figure, dl, [role=tabpanel]').allTextContents();
  /** The function's own address for a route of the dashboard. */
  const atFunction = (path: string): string => baseUrl().replace(/v1$/, `dashboard/${path}`);

  /** Runs the suggested prompt until there is text, but not all. */
  const begin = async (page: Page): Promise<void> => {
    page.setDefaultTimeout(20_000);
    await page.getByRole('textbox', { name: 'Prompt' }).fill(PROMPT);
    await page.getByRole('button', { name: 'Run', exact: true, disabled: false }).waitFor();
    await page.keyboard.press('Control+Enter');
    await slow(page).getByText(SLOW_BEGINS).waitFor();
  };

  /** The documents of a run in Firestore: the run itself, and the parts that are kept below it. */
  const keptOf = async (id: string): Promise<string[]> => {
    const root = `http://127.0.0.1:${current().firestorePort}/v1/projects/${PROJECT}/databases/(default)/documents`;
    const run = `${root}/users/demo/runs/${id}`;
    const own = await fetch(run, { headers: OWNER });
    const parts = await fetch(`${run}/runParts`, { headers: OWNER });
    const { documents = [] } = (await parts.json()) as { documents?: { name: string }[] };
    const kinds = documents.map(
      ({ name }) =>
        name
          .split('/')
          .at(-1)
          ?.replace(/[-~].*$/, '') ?? '',
    );
    return [...(own.ok ? ['run'] : []), ...new Set(kinds)].sort();
  };

  it('streams runs from the function itself, which are kept in Firestore: resumed, judged, shown again', async () => {
    const { page } = await open();
    const { streams, isOver } = watchStreams(page);
    await signIn(page, EMAIL);
    await begin(page);
    // There is text, and the stream that brought it goes on.
    const [begun] = streams();
    expect(begun?.url()).toBe(atFunction('runs'));
    expect(isOver(begun)).toBe(false);
    const id = page.url().split('/').at(-1) ?? '';

    await page.reload();
    await complete(page).waitFor();
    expect(streams().map((request) => request.url())).toEqual([atFunction('runs'), atFunction(`runs/${id}/events`)]);
    await page.getByRole('tab', { name: 'Evaluate' }).click();
    await page.getByRole('button', { name: 'Add judges' }).click();
    const judges = page.getByRole('dialog', { name: 'Add judges' });
    await judges.getByRole('option', { name: 'Demo Blaise' }).click();
    await judges.getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByRole('button', { name: 'Evaluate', exact: true }).click();
    await page.getByRole('region', { name: 'Overall, of 10' }).waitFor();
    expect(streams().at(-1)?.url()).toBe(atFunction('evaluations'));
    await page.getByRole('tab', { name: 'Answer', exact: true }).click();
    const live = await shown(page);
    expect(live.join()).toContain('tomato');

    await page.reload();
    await complete(page).waitFor();
    expect(await shown(page)).toEqual(live);
    expect(await keptOf(id)).toEqual(['evaluation', 'events', 'request', 'run']);

    await page.getByRole('link', { name: 'New run' }).click();
    await begin(page);
    await page.keyboard.press('Escape');
    await page.getByText('Stopped', { exact: true }).first().waitFor();
  });

  it('shares a run from Firestore by a link, which asks nobody to sign in, until it is ended', async () => {
    const { page } = await open();
    await signIn(page, EMAIL);
    await begin(page);
    await complete(page).waitFor();
    await page.getByRole('button', { name: 'Share …' }).click();
    const sharing = page.getByRole('dialog', { name: 'Share this run' });
    await sharing.getByRole('button', { name: 'Make a link' }).click();
    const link = await sharing.getByRole('textbox', { name: 'Link' }).inputValue();
    const { page: reader } = await open();
    const asked: string[] = [];
    reader.on('request', (request) => asked.push(request.url()));
    await reader.goto(link);
    await reader.getByRole('region', { name: 'Answer of the ensemble' }).getByText('tomato').first().waitFor();
    expect(new URL(link).origin).toBe(pagesUrl());
    expect(asked.filter((url) => url.includes('/dashboard/') || !url.startsWith(pagesUrl()))).toEqual([
      link.replace('/shared/', '/dashboard/shared/'),
    ]);
    await sharing.getByRole('button', { name: 'End the link' }).click();
    await sharing.getByRole('button', { name: 'Make a link' }).waitFor();
    await reader.reload();
    await reader.getByText('No run is shared by this link').waitFor();
  });
}

/** The requests of a page for what comes bit by bit, and whether one has come to its end. */
function watchStreams(page: Page) {
  const asked: Request[] = [];
  const over = new Set<Request>();
  page.on('request', (request) => asked.push(request));
  page.on('requestfinished', (request) => over.add(request));
  page.on('requestfailed', (request) => over.add(request));
  return {
    streams: () => asked.filter(isStream),
    isOver: (request: Request | undefined) => request === undefined || over.has(request),
  };
}

function isStream(request: Request): boolean {
  const { pathname } = new URL(request.url());
  const method = pathname.endsWith('/events') ? 'GET' : 'POST';
  return request.method() === method && /\/dashboard\/(?:runs|evaluations|runs\/[^/]+\/events)$/.test(pathname);
}
