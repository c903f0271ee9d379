import * as z from 'zod';
import { named } from '../../lib/reply-schemas';
import { accountRoute } from '../shared/operation';
import { objectOf, optional, plainText } from '../shared/schemas';
import { refuseUnknownRun } from '../v1/run-events';

const SEAT_RULE = 'must be the seat of a participant, such as p1';
const FIELDS = {
  answer: optional(z.enum(['good', 'bad'], 'must be good or bad'), 'How the answer was.'),
  better: optional(
    z.string(SEAT_RULE).regex(/^p[1-9]\d?$/, SEAT_RULE),
    'The seat of the participant whose text was better than the answer, as in the trace.',
  ),
  words: optional(plainText({ rule: 'must be a text', max: 200 }), 'Why, in the words of the user.'),
};

/** A rating, as replies have it. */
export const ratingSchema = () => z.object(FIELDS);

/** A user's opinion of a run of their own, in the place of the one before. */
export const rateRun = accountRoute({
  at: 'PUT /dashboard/runs/{id}/rating',
  id: 'rateRun',
  summary: 'Rate a run, in the place of the rating before; an empty one removes it',
  resource: 'The id of a run.',
  body: objectOf(FIELDS).meta({ id: 'NewRating' }),
  example: { answer: 'bad', better: 'p2', words: 'It left out the dates.' },
  reply: named('RatedRun', () => z.object({ rating: ratingSchema().optional() })),
  run: async ({ keptRuns }, { userId, resourceId: runId = '' }, { answer, better, words }) => {
    const given = { answer, better, words };
    const rating = Object.values(given).some(Boolean) ? given : undefined;
    return (await keptRuns.rate({ userId, runId }, rating)) ? { body: { rating } } : refuseUnknownRun();
  },
});
