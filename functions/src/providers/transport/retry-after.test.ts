import { retryAfterSeconds } from './retry-after';

const DATE = 'Sat, 21 Nov 2026 10:00:00 GMT';

test.each<[Record<string, string>, number | undefined]>([
  [{}, undefined],
  [{ 'retry-after': '0' }, 0],
  [{ 'retry-after': '12' }, 12],
  [{ 'retry-after': '0.25' }, 0.25],
  [{ 'retry-after': '-3' }, undefined],
  [{ 'retry-after': 'NaN' }, undefined],
  [{ 'retry-after': '' }, undefined],
  [{ 'retry-after': '9'.repeat(400) }, undefined],
  [{ 'retry-after-ms': '250' }, 0.25],
  [{ 'retry-after-ms': 'x', 'retry-after': '12' }, 12],
  [{ 'retry-after': 'Sat, 21 Nov 2026 10:01:05 GMT', date: DATE }, 65],
  [{ 'retry-after': 'Sat, 21 Nov 2026 09:00:00 GMT', date: DATE }, 0],
  [{ 'retry-after': 'Sat, 21 Nov 2026 10:01:05 GMT', date: 'yesterday' }, undefined],
  [{ 'retry-after': `Sat, 21 Nov 2026 10:01:05 GMT${' '.repeat(64)}x`, date: DATE }, undefined],
])('%j asks for %p seconds', (headers, seconds) => {
  expect(retryAfterSeconds(new Headers(headers))).toBe(seconds);
});

test('a date without a Date header beside it counts from our own clock', () => {
  expect(retryAfterSeconds(new Headers({ 'retry-after': 'Thu, 01 Jan 1970 00:00:00 GMT' }))).toBe(0);
});
