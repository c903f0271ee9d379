import type { AccountRoute } from '../../http/route';
import type { Log } from '../../lib/log';
import { readLastStudy } from './last-study';

/** What the route of the last study works with. */
export interface StudyDeps {
  /** Where `npm run quality` leaves the summary of the last study. */
  readonly studyFile: string;
  readonly log: Pick<Log, 'warn'>;
}

/** `GET /dashboard/study`: what the last study of quality and cost found here; null where none was made. */
export function studyRoute({ studyFile, log }: StudyDeps): AccountRoute {
  return {
    method: 'GET',
    path: '/dashboard/study',
    handle: async () => ({ body: { study: await readLastStudy(studyFile, log) } }),
  };
}
