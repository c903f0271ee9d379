import * as z from 'zod';
import type { OpenRoute } from '../../http/route';
import { named, oneOf, type Sent, text } from '../../lib/reply-schemas';
import type { Described } from '../shared/operation';

const FirebaseApp = named(
  'FirebaseApp',
  () =>
    z.object({
      apiKey: text('Names the project to Firebase; no secret.'),
      authDomain: text('Where sign-in pages come from.').optional(),
      projectId: text('The project.').optional(),
      appId: text('The web app.').optional(),
    }),
  'The Firebase app of the page. Absent: as Firebase Hosting tells it at `/__/firebase/init.json`.',
);

const DashboardConfig = named('DashboardConfig', () =>
  z.object({
    mode: oneOf(
      ['embedded', 'firebase'],
      'How users sign in: with Firebase, or, on a machine of their own, not at all.',
    ),
    apiBaseUrl: text("The base URL for programs, ending in `/v1`. Absent: `/v1` of the page's own origin.").optional(),
    firebase: FirebaseApp.optional(),
    appCheckSiteKey: text('Of reCAPTCHA Enterprise. Set: requests must carry a token of App Check.').optional(),
    authEmulatorUrl: text('Where the emulator of Firebase Auth is, instead of Firebase itself.').optional(),
  }),
);

/** Settings that the dashboard's page needs before anybody has signed in. All of it is public. */
export type PageConfig = Sent<typeof DashboardConfig>;

export type FirebaseApp = Sent<typeof FirebaseApp>;

export const getDashboardConfig: Described = {
  at: 'GET /dashboard/config.json',
  id: 'getDashboardConfig',
  tag: 'Dashboard',
  access: 'open',
  summary: 'Tell the page how its users sign in, and where programs reach the API',
  reply: DashboardConfig,
};

export function pageConfigRoute(body: PageConfig): OpenRoute {
  return { path: '/dashboard/config.json', handle: async () => ({ body }) };
}
