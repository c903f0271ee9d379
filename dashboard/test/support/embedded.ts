import { join } from 'node:path';
import { type App, type AppOptions, startApp } from '../../../functions/test/support/app';
import { LOCAL_USER } from '../../../functions/test/support/dashboard';

/** The pages as they are built. */
export const DIST = join(__dirname, '../../dist');

/** The service of one machine with the dashboard's pages, and its user on Pro with one key. */
export async function startDashboard(options: AppOptions = {}) {
  const app = await startEmptyDashboard(options);
  await app.user(LOCAL_USER, 'pro');
  return app;
}

/** The same with a user who has neither plan nor keys. */
export function startEmptyDashboard(options: AppOptions = {}): Promise<App> {
  return startApp({ siteDirectory: DIST, ...options });
}
