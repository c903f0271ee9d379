import * as z from 'zod';
import { named } from '../shared/fields';
import { lastStudySchema } from '../shared/last-study';
import { accountRoute } from '../shared/operation';

export const getLastStudy = accountRoute({
  get: '/dashboard/study',
  id: 'getLastStudy',
  summary: 'Tell what the last study of quality and cost found here',
  reply: named('StudyReply', () => z.object({ study: lastStudySchema.nullable().describe('Null: none was made.') })),
  run: async ({ readLastStudy }) => ({ body: { study: await readLastStudy() } }),
});
