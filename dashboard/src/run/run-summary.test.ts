import { runStateWords } from './run-summary';

test.each([
  ['failed', 'The server stopped before the run ended', 'Failed: the server stopped before the run ended'],
  ['failed', undefined, 'Failed'],
  ['stopped', 'Stopped by its user', 'Stopped'],
  ['failed', 'word '.repeat(1_000), `Failed: ${'word '.repeat(16)}…`],
] as const)('a run that is %s with %j', (state, message, words) => {
  expect(runStateWords({ state, ...(message !== undefined && { message }) }).text).toBe(words);
});
