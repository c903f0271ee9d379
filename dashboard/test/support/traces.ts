import type { BrowserContext, Page } from 'playwright-core';

/** Everything that a page has put somewhere: storage, address, history, document, and the caches of its queries. */
export async function tracesOf({ page, context }: { readonly page: Page; readonly context: BrowserContext }) {
  const stored = JSON.stringify(await context.storageState({ indexedDB: true }));
  return stored + (await page.evaluate(tracesInPage));
}

async function tracesInPage(): Promise<string> {
  const queries = queryClient();
  const fields = [...document.querySelectorAll('input, textarea')] as HTMLInputElement[];
  const entries = [
    ...[location.href, document.title, document.documentElement.outerHTML, JSON.stringify(history.state)],
    ...[JSON.stringify({ ...localStorage }), JSON.stringify({ ...sessionStorage }), document.cookie],
    ...[JSON.stringify(await caches.keys()), JSON.stringify(await indexedDB.databases())],
    ...fields.map(({ value }) => value),
    JSON.stringify(
      queries
        .getQueryCache()
        .getAll()
        .map(({ queryKey, state }) => ({ queryKey, state })),
    ),
    JSON.stringify(
      queries
        .getMutationCache()
        .getAll()
        .map(({ state }) => state),
    ),
  ];
  return entries.join('\n');

  interface Cache {
    getAll(): { queryKey: unknown; state: unknown }[];
  }
  interface Client {
    getQueryCache(): Cache;
    getMutationCache(): Cache;
  }
  interface Fiber {
    readonly memoizedProps?: { readonly client?: Client } | null;
    readonly child?: Fiber | null;
  }

  /** React tells its tools where its components are; the client of the queries is a property of one of the first. */
  function queryClient(): Client {
    const root = document.getElementById('root') as unknown as Record<string, Fiber>;
    const name = Object.keys(root).find((key) => key.startsWith('__reactContainer$')) ?? '';
    for (let fiber = root[name]; fiber; fiber = fiber.child ?? undefined) {
      const client = fiber.memoizedProps?.client;
      if (client) return client;
    }
    throw new Error('the page has no client for queries');
  }
}
