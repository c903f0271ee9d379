/**
 * True if suites search for as long as is useful (`TEST_LONG=1`, as in `npm run test:long`) instead of as long as every change
 * can wait.
 */
export const isLongMode = process.env['TEST_LONG'] === '1';
