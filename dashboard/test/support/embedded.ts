import { join } from 'node:path';
import { type AppOptions, startApp } from '../../../functions/test/support/app';
import { LOCAL_USER } from '../../../functions/test/support/dashboard';

/** The pages as they are built. */
export const DIST = join(__dirname, '../../dist');

/** The service of one machine with the dashboard's pages, and its user on Pro. */
export async function startDashboard(options: AppOptions = {}) {
  const app = await startApp({ siteDirectory: DIST, ...options });
  await app.user(LOCAL_USER, 'pro');
  return app;
}
