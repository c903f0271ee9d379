import type { AccountRoute } from '../../http/route';
import type { LastStudy } from './last-study';

/** What the route of the last study works with. */
export interface StudyDeps {
  /** The summary that `npm run quality` left of the last study; null where it left none. */
  readonly readLastStudy: () => Promise<LastStudy | null>;
}

/** `GET /dashboard/study`: what the last study of quality and cost found here; null where none was made. */
export function studyRoute({ readLastStudy }: StudyDeps): AccountRoute {
  return {
    method: 'GET',
    path: '/dashboard/study',
    handle: async () => ({ body: { study: await readLastStudy() } }),
  };
}
