import { existsSync } from 'node:fs';
import { join } from 'node:path';

const { LONGEST } = jest.requireActual<{ LONGEST: readonly string[] }>('./longest-first.cjs');

it('the suites that are started first are there', () => {
  const missing = LONGEST.filter((file) => !existsSync(join(__dirname, '..', '..', '..', file)));
  expect(missing).toEqual([]);
});
