import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { gzipSync } from 'node:zlib';
import { type Costs, countCosts } from './request-costs';

/*
 * What a request may take, counted and not timed, so that it is the same on every machine. Who makes one of them worse by
 * more than 5 % sees the number; who makes it better writes the new one here. Times are in `npm run bench`.
 */

const FUNCTIONS = join(__dirname, '..', '..');
const TOLERANCE = 1.05;

/** Of a pass-through of a priced model, on the embedded store. Memory is all that is taken, most of it for a moment. */
const REQUEST: Costs = { promises: 165, statements: 15, kilobytes: 353 };
const STREAM: Costs = { promises: 163, statements: 15, kilobytes: 353 };
const CHUNK: Costs = { promises: 0.02, statements: 0, kilobytes: 1.17 };
/** Read until the first answer is out, those of the framework included. */
const FILES = 151;
/** Of the function, compressed. */
const BUNDLE_KB = 440;

describe('what a request takes', () => {
  let counted: Awaited<ReturnType<typeof countCosts>>;
  beforeAll(async () => {
    counted = await countCosts();
  }, 60_000);

  const rows = Object.entries({ request: REQUEST, stream: STREAM, chunk: CHUNK }).flatMap(([of, costs]) =>
    Object.entries(costs).map(([what, budget]) => ({ of, what, budget }) as Row),
  );
  interface Row {
    readonly of: 'request' | 'stream' | 'chunk';
    readonly what: keyof Costs;
    readonly budget: number;
  }

  it.each(rows)('a $of takes no more than $budget $what, and 5 %', ({ of, what, budget }) => {
    expect(counted[of][what]).toBeGreaterThanOrEqual(0);
    expect(counted[of][what]).toBeLessThanOrEqual(budget * TOLERANCE);
  });

  it(`reads no more than ${FILES} files until the first answer, and 5 %`, () => {
    expect(counted.loaded.length).toBeGreaterThan(1);
    expect(counted.loaded.length).toBeLessThanOrEqual(FILES * TOLERANCE);
  });

  it('reads of the function one file, and no SDK that nobody has called', () => {
    const own = counted.loaded
      .map((file) => relative(FUNCTIONS, file))
      .filter((file) => !file.includes('node_modules'));
    expect(own.filter((file) => !file.startsWith('..')).toSorted()).toEqual([
      'lib/index.cjs',
      'lib/index.js',
      'scripts/bind-host.cjs',
      'test/function/count-costs.cjs',
    ]);
    const sdks =
      /node_modules\/(?:openai|@anthropic-ai|@google|@google-cloud\/firestore|firebase-admin|re2js|tinyld)\//;
    expect(counted.loaded.filter((file) => sdks.test(file))).toEqual([]);
  });
});

it(`the function has no more than ${BUNDLE_KB} KB of code, compressed, and 5 %`, () => {
  const bytes = gzipSync(readFileSync(join(FUNCTIONS, 'lib/index.js'))).length;
  expect(bytes / 1_000).toBeLessThanOrEqual(BUNDLE_KB * TOLERANCE);
});
