import { errorBody, INVALID_DATE, invalidDate } from '../support/api-errors';
import { type App, startApp } from '../support/app';
import type { WireUsage } from '../support/wire';

const NOON = '2026-01-15T12:00:00.000Z';
const MONTH_START = '2026-01-01T00:00:00.000Z';

/** Query and the period the record must state; without an end it is now. */
const ACCEPTED: readonly { rule: string; query: Record<string, string>; start: string; end?: string }[] = [
  { rule: 'default: the first day of this month until now', query: {}, start: MONTH_START },
  {
    rule: 'Unix seconds',
    query: { start_date: '1767312000', end_date: '1768000000' },
    start: '2026-01-02T00:00:00.000Z',
    end: '2026-01-09T23:06:40.000Z',
  },
  {
    rule: 'ISO 8601 dates are UTC midnights',
    query: { start_date: '2026-01-03', end_date: '2026-01-04' },
    start: '2026-01-03T00:00:00.000Z',
    end: '2026-01-04T00:00:00.000Z',
  },
  {
    rule: 'ISO 8601 with an offset',
    query: { start_date: '2026-01-03T02:00:00+02:00', end_date: '2026-01-03T10:30:15.250Z' },
    start: '2026-01-03T00:00:00.000Z',
    end: '2026-01-03T10:30:15.250Z',
  },
  {
    rule: 'RFC 1123 dates',
    query: { start_date: 'Sat, 03 Jan 2026 00:00:00 GMT', end_date: 'Sun, 04 Jan 2026 00:00:00 GMT' },
    start: '2026-01-03T00:00:00.000Z',
    end: '2026-01-04T00:00:00.000Z',
  },
  {
    rule: 'any other date JavaScript can parse',
    query: { start_date: 'January 3, 2026 00:00 UTC' },
    start: '2026-01-03T00:00:00.000Z',
  },
  { rule: 'only a start: until now', query: { start_date: '2025-12-24' }, start: '2025-12-24T00:00:00.000Z' },
  { rule: 'only an end: from the start of this month', query: { end_date: NOON }, start: MONTH_START, end: NOON },
  {
    rule: 'start and end may be one moment',
    query: { start_date: '2026-01-10T00:00:00Z', end_date: '2026-01-10T00:00:00Z' },
    start: '2026-01-10T00:00:00.000Z',
    end: '2026-01-10T00:00:00.000Z',
  },
  {
    rule: 'exactly 24 months',
    query: { start_date: '2024-01-15T12:00:00Z', end_date: NOON },
    start: '2024-01-15T12:00:00.000Z',
    end: NOON,
  },
  {
    rule: 'an end in the future',
    query: { end_date: '2026-03-01T00:00:00Z' },
    start: MONTH_START,
    end: '2026-03-01T00:00:00.000Z',
  },
  {
    rule: 'unknown parameters are ignored',
    query: { bucket_width: '1d', limit: 'x', endpoint: 'x' },
    start: MONTH_START,
  },
  {
    rule: 'the last day of a leap February, at its end',
    query: { start_date: '2024-02-29T23:30:00-05:00' },
    start: '2024-03-01T04:30:00.000Z',
  },
  {
    rule: 'the 31st, with minutes that are 30',
    query: { start_date: '31 Dec 2025 00:30 UTC' },
    start: '2025-12-31T00:30:00.000Z',
  },
];

const REVERSED = errorBody('Invalid date range');
const IN_MILLISECONDS = 'is in milliseconds: Unix seconds are expected';
const TOO_LONG = errorBody('Date range must not exceed 24 months');

const REFUSED: readonly { rule: string; query: Record<string, string>; expected: unknown }[] = [
  { rule: 'an empty start_date', query: { start_date: '' }, expected: INVALID_DATE },
  { rule: 'an empty end_date', query: { end_date: '' }, expected: invalidDate('end_date') },
  { rule: 'words', query: { start_date: 'yesterday' }, expected: INVALID_DATE },
  { rule: 'words for the end', query: { end_date: 'now' }, expected: invalidDate('end_date') },
  { rule: 'null by name', query: { start_date: 'null' }, expected: INVALID_DATE },
  { rule: 'thirty digits', query: { start_date: '1'.repeat(30) }, expected: INVALID_DATE },
  {
    rule: 'Unix milliseconds',
    query: { end_date: '1767312000000' },
    expected: invalidDate('end_date', IN_MILLISECONDS),
  },
  ...[
    ...['2026-02-30', '2025-02-29', '2026-02-31T10:30:00Z', '2026-04-31T23:30:00+09:00', '2026-06-31T00:30:00-11:00'],
    ...['30 Feb 2026', 'February 30, 2026 00:30 UTC', '2026/11/31', '6/31/2026', 'Mon, 31 Apr 2026 00:00:00 GMT'],
  ].map((start_date) => ({
    rule: `a day that its month does not have: ${start_date}`,
    query: { start_date },
    expected: invalidDate('start_date', 'is a day that its month does not have'),
  })),
  ...['2026-00-10', '2026-01-32', '2026-01-01T25:00:00Z', '99/99/2026'].map((start_date) => ({
    rule: `what is no date: ${start_date}`,
    query: { start_date },
    expected: INVALID_DATE,
  })),
  {
    rule: 'a "+" that was not escaped',
    query: { start_date: '2026-01-01T00:00:00 09:00' },
    expected: INVALID_DATE,
  },
  ...Object.entries({
    ...{ startDate: 'start_date', 'start-date': 'start_date', start_time: 'start_date' },
    ...{ END_DATE: 'end_date', endTime: 'end_date', end: 'end_date' },
  }).map(([name, meant]) => ({
    rule: `the misspelt parameter ${name}`,
    query: { [name]: '2026-01-01' },
    expected: errorBody(`Invalid parameter ${name}: the parameter is ${meant}`),
  })),
  { rule: 'a month that is none', query: { start_date: '2026-13-01' }, expected: INVALID_DATE },
  { rule: 'an overlong text', query: { start_date: `2026-01-01${' '.repeat(5_000)}` }, expected: INVALID_DATE },
  {
    rule: 'one good and one bad date',
    query: { start_date: '2026-01-01', end_date: 'soon' },
    expected: invalidDate('end_date'),
  },
  { rule: 'start after end', query: { start_date: '2026-01-10', end_date: '2026-01-09' }, expected: REVERSED },
  {
    rule: 'start one second after end, as Unix seconds',
    query: { start_date: '1768000001', end_date: '1768000000' },
    expected: REVERSED,
  },
  { rule: 'start after the default end', query: { start_date: '2026-02-01' }, expected: REVERSED },
  { rule: 'end before the default start', query: { end_date: '2025-12-31' }, expected: REVERSED },
  {
    rule: 'one millisecond more than 24 months',
    query: { start_date: '2024-01-15T11:59:59.999Z', end_date: NOON },
    expected: TOO_LONG,
  },
  {
    rule: 'one second more than 24 months',
    query: { start_date: '2024-01-15T12:00:00Z', end_date: '2026-01-15T12:00:01Z' },
    expected: TOO_LONG,
  },
  { rule: 'all of time', query: { start_date: '0' }, expected: TOO_LONG },
];

describe('GET /v1/usage: the range', () => {
  let app: App;
  beforeAll(async () => {
    app = await startApp();
    // Something in January 2026, or there would be no record to state its period.
    await app.complete();
  });
  afterAll(() => app.close());

  it.each(ACCEPTED)('$rule (200)', async ({ query, start, end }) => {
    const { status, body } = await app.read<WireUsage>(`/v1/usage?${new URLSearchParams(query)}`);
    expect(status).toBe(200);
    const now = new Date(app.clock.nowMs()).toISOString();
    expect(body.data.map(({ period }) => period)).toEqual([{ start, end: end ?? now }]);
  });

  it('names the months it added up, each of them whole, oldest first', async () => {
    const monthsOf = async (start: string, end: string) => {
      const query = new URLSearchParams({ start_date: start, end_date: end });
      const { body } = await app.read<WireUsage>(`/v1/usage?${query}`);
      return body.data.map(({ months }) => months);
    };
    expect(await monthsOf('2026-01-15T00:00:00Z', '2026-01-15T00:00:01Z')).toEqual([['2026-01']]);
    expect(await monthsOf('2025-11-30T23:59:59Z', '2026-02-01T00:00:00Z')).toEqual([
      ['2025-11', '2025-12', '2026-01', '2026-02'],
    ]);
    // Of December nothing is known, and so there is no record.
    expect(await monthsOf('2025-12-01T00:00:00Z', '2025-12-31T23:59:59Z')).toEqual([]);
  });

  it('Unix seconds 0 is the start of 1970, of which nothing is known (200)', async () => {
    const { status, body } = await app.read('/v1/usage?start_date=0&end_date=63072000');
    expect({ status, body }).toEqual({ status: 200, body: { object: 'list', data: [], has_more: false } });
  });

  it.each(REFUSED)('$rule (400)', async ({ query, expected }) => {
    const { status, body } = await app.read(`/v1/usage?${new URLSearchParams(query)}`);
    expect({ status, body }).toEqual({ status: 400, body: expected });
  });
});
