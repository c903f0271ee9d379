import { monotonicMs } from './monotonic.mjs';

/**
 * Repeats a measurement up to `count` times and collects what each round gives. On a busy machine it stops early, after
 * `budgetMs`, but never before the first round is done.
 */
export async function rounds(count, budgetMs, measure) {
  const endMs = monotonicMs() + budgetMs;
  const results = [];
  while (results.length < count && (results.length === 0 || monotonicMs() < endMs)) {
    results.push(await measure(results.length));
  }
  if (results.length < count) console.error(`  only ${results.length} of ${count} rounds: the machine is slow or busy`);
  return results;
}

/** Both sides of one round, the other one first every other time, so that neither always meets the colder machine. */
export async function bothWays(round, direct, ours) {
  if (round % 2 === 0) {
    const first = await direct();
    return { direct: first, ours: await ours() };
  }
  const first = await ours();
  return { direct: await direct(), ours: first };
}
