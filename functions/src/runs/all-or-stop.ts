/**
 * Waits for calls that run side by side. When one rejects (the ledger cannot be kept), the others are stopped and
 * waited for before the error is passed on: no call may go on unless it is written down.
 */
export async function allOrStop<T>(calls: readonly Promise<T>[], stop: () => void): Promise<T[]> {
  try {
    return await Promise.all(calls);
  } catch (error) {
    stop();
    await Promise.allSettled(calls);
    throw error;
  }
}
