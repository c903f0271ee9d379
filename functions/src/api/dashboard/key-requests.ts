import * as z from 'zod';
import { ENDPOINT_NAMES } from '../../access/key-store';
import { withForm, withNotes } from '../schema-notes';
import { listOf, objectOf } from '../schemas';

const NANO = 1e9;
const HOUR_MS = 3_600_000;
/** No moment or name is longer; what names may be is a rule of `keys/keys`. */
const TEXT_CHARACTERS_MAX = 200;
const NEVER = 'never';

/** How long a key that is rotated goes on working, by the words of a request. */
export const OVERLAPS_MS = { '0': 0, '1h': HOUR_MS, '24h': 24 * HOUR_MS, '7d': 7 * 24 * HOUR_MS } as const;

const name = z
  .string('must be a string')
  .max(TEXT_CHARACTERS_MAX, `must have at most ${TEXT_CHARACTERS_MAX} characters`);
const momentRule = 'must be a moment such as 2026-12-31T00:00:00Z';
const moment = z
  .string(momentRule)
  .max(TEXT_CHARACTERS_MAX, momentRule)
  .transform((text, context) => {
    const timeMs = /^\d{4}-\d\d-\d\dT/.test(text) ? Date.parse(text) : Number.NaN;
    if (!Number.isNaN(timeMs)) return timeMs;
    context.addIssue(momentRule);
    return z.NEVER;
  });
const expiresAt = withForm(moment, () => ({ type: 'string', format: 'date-time' }));
const moved = z.union([z.literal(NEVER).transform(() => null), moment], `${momentRule}, or ${NEVER}`);
const movedExpiry = withForm(moved, () => ({
  anyOf: [
    { type: 'string', const: NEVER },
    { type: 'string', format: 'date-time' },
  ],
}));
const budget = z.number('must be a number of US dollars').transform((usd) => Math.round(usd * NANO));

const budgetForm = { type: 'number', exclusiveMinimum: 0, maximum: 1_000_000 };
const UNBOUNDED = 'none';
const movedBudget = withForm(
  z.union([z.literal(UNBOUNDED).transform(() => null), budget], `must be a number of US dollars, or ${UNBOUNDED}`),
  () => ({ anyOf: [{ type: 'string', const: UNBOUNDED }, budgetForm] }),
);

/** The body of `POST /dashboard/keys`. */
export const newKeySchema = withNotes(
  objectOf({
    name,
    expiresAt: expiresAt.optional(),
    budgetUsd: withForm(budget, () => budgetForm).optional(),
    models: listOf(z.string('must be a model id or pattern'), {
      rule: 'must be a list of model ids or patterns',
    }).optional(),
    endpoints: listOf(z.enum(ENDPOINT_NAMES, `must be one of ${ENDPOINT_NAMES.join(', ')}`), {
      rule: 'must be a list of endpoints',
    }).optional(),
    requestsPerMinute: z.int('must be a whole number').optional(),
  }),
  {
    fields: {
      name: 'What its owner calls it.',
      expiresAt: 'When it ends. Absent: never.',
      budgetUsd: 'What its requests may cost in a UTC month.',
      models: 'The models it may use: ids, in which `*` stands for any characters.',
      endpoints: 'The endpoints it may use.',
      requestsPerMinute: 'Below the limit of its user.',
    },
  },
);

/** The body of `PATCH /dashboard/keys/{id}`. */
export const keyEditSchema = withNotes(
  objectOf({ name: name.optional(), expiresAt: movedExpiry.optional(), budgetUsd: movedBudget.optional() }),
  {
    fields: {
      name: 'The new name.',
      expiresAt: 'When it ends; `never` takes the end away.',
      budgetUsd: 'What its requests may cost in a UTC month; `none` takes the budget away.',
    },
  },
);

const overlaps = Object.keys(OVERLAPS_MS) as (keyof typeof OVERLAPS_MS)[];

/** The body of `POST /dashboard/keys/{id}/rotate`. */
export const rotationSchema = withNotes(
  objectOf({ overlap: z.enum(overlaps, `must be one of ${overlaps.join(', ')}`) }),
  { fields: { overlap: 'How long the old key goes on working.' } },
);
