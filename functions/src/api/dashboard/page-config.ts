import type { OpenRoute } from '../../http/route';

/** What the dashboard's page must know before anybody has signed in. All of it is public. */
export interface PageConfig {
  /** How its users sign in: `embedded`, on the machine of the one user, not at all. */
  readonly mode: 'embedded' | 'firebase';
  /** The base URL for programs, ending in `/v1`; absent: below the page's own origin. */
  readonly apiBaseUrl?: string;
  /** The Firebase app of the page; absent: as Firebase Hosting tells it at `/__/firebase/init.json`. */
  readonly firebase?: FirebaseApp;
  /** Of reCAPTCHA Enterprise; set: requests must carry a token of App Check. */
  readonly appCheckSiteKey?: string;
  /** Where the emulator of Firebase Auth is, instead of Firebase itself. */
  readonly authEmulatorUrl?: string;
}

/** What Firebase's client needs of a project: its names, and no secret. */
export interface FirebaseApp {
  readonly apiKey: string;
  readonly authDomain?: string;
  readonly projectId?: string;
  readonly appId?: string;
}

/** `GET /dashboard/config.json`, for anybody. */
export function pageConfigRoute(config: PageConfig): OpenRoute {
  return { path: '/dashboard/config.json', handle: async () => ({ body: config }) };
}
