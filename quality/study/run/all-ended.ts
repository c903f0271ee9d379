/** The results of all, once every one has ended; the first failure, where there is one. Nothing is left running behind it. */
export async function allEnded<Result>(works: readonly Promise<Result>[]): Promise<Result[]> {
  await Promise.allSettled(works);
  return Promise.all(works);
}
