import { errorBody, INVALID_DATE, invalidDate } from '../support/api-errors';
import { type App, startApp } from '../support/app';
import type { WireUsage } from '../support/wire';

const NOON = '2026-01-15T12:00:00.000Z';
const MONTH_START = '2026-01-01T00:00:00.000Z';

/** Dates that are taken, and the period that the record states; without an end it is now. */
const ACCEPTED: readonly (readonly [query: Record<string, string> | string, start: string, end?: string])[] = [
  [{}, MONTH_START],
  [{ start_date: '1767312000', end_date: '1768000000' }, '2026-01-02T00:00:00.000Z', '2026-01-09T23:06:40.000Z'],
  [{ start_date: '2026-01-03', end_date: '2026-01-04' }, '2026-01-03T00:00:00.000Z', '2026-01-04T00:00:00.000Z'],
  [
    { start_date: '2026-01-03T02:00:00+02:00', end_date: '2026-01-03T10:30:15.250Z' },
    '2026-01-03T00:00:00.000Z',
    '2026-01-03T10:30:15.250Z',
  ],
  [{ start_date: 'Sat, 03 Jan 2026 00:00:00 GMT' }, '2026-01-03T00:00:00.000Z'],
  [{ start_date: 'January 3, 2026 00:00 UTC' }, '2026-01-03T00:00:00.000Z'],
  [{ start_date: '31 Dec 2025 00:30 UTC' }, '2025-12-31T00:30:00.000Z'],
  [{ start_date: '2024-02-29T23:30:00-05:00' }, '2024-03-01T04:30:00.000Z'],
  [{ end_date: NOON }, MONTH_START, NOON],
  [{ start_date: NOON, end_date: NOON }, NOON, NOON],
  // Exactly 24 months, and an end that is to come.
  [{ start_date: '2024-01-15T12:00:00Z', end_date: NOON }, '2024-01-15T12:00:00.000Z', NOON],
  [{ end_date: '2026-03-01T00:00:00Z' }, MONTH_START, '2026-03-01T00:00:00.000Z'],
  [{ bucket_width: '1d', limit: 'x', endpoint: 'x' }, MONTH_START],
  // Of a repeated one the first value counts.
  [`start_date=${NOON}&start_date=never`, NOON],
];

const REVERSED = errorBody('Invalid date range');
const IN_MILLISECONDS = 'is in milliseconds: Unix seconds are expected';
const TOO_LONG = errorBody('Date range must not exceed 24 months');

const NO_SUCH_DAY = invalidDate('start_date', 'is a day that its month does not have');

const starts = (dates: readonly string[], body: unknown): Refusal[] =>
  dates.map((start_date) => [{ start_date }, body]);

type Refusal = readonly [query: Record<string, string>, body: unknown];
const REFUSED: readonly Refusal[] = [
  ...starts(
    ['', 'yesterday', 'null', '1'.repeat(30), '2026-00-10', '2026-01-32', '99/99/2026', '2026-13-01'],
    INVALID_DATE,
  ),
  // The second is what becomes of a `+` that is not escaped.
  ...starts(['2026-01-01T25:00:00Z', '2026-01-01T00:00:00 09:00', `2026-01-01${' '.repeat(5_000)}`], INVALID_DATE),
  ...starts(['2026-02-30', '2025-02-29', '2026-02-31T10:30:00Z', '2026-04-31T23:30:00+09:00'], NO_SUCH_DAY),
  ...starts(['2026-06-31T00:30:00-11:00', '30 Feb 2026', 'February 30, 2026 00:30 UTC', '2026/11/31'], NO_SUCH_DAY),
  ...starts(['6/31/2026', 'Mon, 31 Apr 2026 00:00:00 GMT'], NO_SUCH_DAY),
  [{ end_date: '' }, invalidDate('end_date')],
  [{ start_date: '2026-01-01', end_date: 'soon' }, invalidDate('end_date')],
  [{ end_date: '1767312000000' }, invalidDate('end_date', IN_MILLISECONDS)],
  ...['startDate', 'start-date', 'start_time'].map((name) => misspelt(name, 'start_date')),
  ...['END_DATE', 'endTime', 'end'].map((name) => misspelt(name, 'end_date')),
  [{ start_date: '2026-01-10', end_date: '2026-01-09' }, REVERSED],
  [{ start_date: '1768000001', end_date: '1768000000' }, REVERSED],
  // After the default end, before the default start.
  [{ start_date: '2026-02-01' }, REVERSED],
  [{ end_date: '2025-12-31' }, REVERSED],
  [{ start_date: '2024-01-15T11:59:59.999Z', end_date: NOON }, TOO_LONG],
  [{ start_date: '2024-01-15T12:00:00Z', end_date: '2026-01-15T12:00:01Z' }, TOO_LONG],
  [{ start_date: '0' }, TOO_LONG],
];

function misspelt(name: string, meant: string): Refusal {
  return [{ [name]: '2026-01-01' }, errorBody(`Invalid parameter ${name}: the parameter is ${meant}`)];
}

describe('GET /v1/usage: the range', () => {
  let app: App;
  beforeAll(async () => {
    app = await startApp();
    // Something in January 2026, or there would be no record to state its period.
    await app.complete();
  });
  afterAll(() => app.close());

  it.each(ACCEPTED)('%j is from %s', async (query, ...[start, end]) => {
    const { status, body } = await app.read<WireUsage>(`/v1/usage?${new URLSearchParams(query)}`);
    expect(status).toBe(200);
    const now = new Date(app.clock.nowMs()).toISOString();
    expect(body.data.map(({ period }) => period)).toEqual([{ start, end: end ?? now }]);
  });

  it('Unix seconds 0 is the start of 1970, of which nothing is known (200)', async () => {
    const { status, body } = await app.read('/v1/usage?start_date=0&end_date=63072000');
    expect({ status, body }).toEqual({ status: 200, body: { object: 'list', data: [], has_more: false } });
  });

  it.each(REFUSED)('%.80j is refused', async (query, expected) => {
    const { status, body } = await app.read(`/v1/usage?${new URLSearchParams(query)}`);
    expect({ status, body }).toEqual({ status: 400, body: expected });
  });
});
