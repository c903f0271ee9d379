import type { PageConfig } from './page-config';
import type { Session } from './session';

/** To be built. */
export async function firebaseSession(_config: PageConfig, _baseUrl: string): Promise<Session> {
  throw new Error('to be built');
}
