import type { Page } from 'playwright-core';
import type { App } from '../../../functions/test/support/app';
import { ask } from '../../../functions/test/support/dashboard';
import { until } from '../../../functions/test/support/until';

/** The request of the run that a page shows, once it is written: a run begins without waiting for the disk. */
export async function keptRequestOf(app: App, page: Page): Promise<object | undefined> {
  const path = `runs/${page.url().split('/').at(-1)}`;
  let request: object | undefined;
  await until(async () => {
    ({ request } = (await ask<{ request?: object }>(app, { path })).body);
    return request !== undefined;
  });
  return request;
}
