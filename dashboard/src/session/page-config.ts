/** What the server says before anybody has signed in (`GET /dashboard/config.json`). */
export interface PageConfig {
  readonly mode: 'embedded' | 'firebase';
  readonly apiBaseUrl?: string;
}
