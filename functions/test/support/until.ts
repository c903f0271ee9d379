/** A test that waits in vain must end, and say so, before its runner gives up on it. */
const PATIENCE_MS = 20_000;

/** Lets the event loop turn until `met` holds; throws when it does not in twenty seconds. */
export async function until(met: () => boolean | Promise<boolean>): Promise<void> {
  const giveUpAtMs = Date.now() + PATIENCE_MS;
  while (!(await met())) {
    if (Date.now() > giveUpAtMs) throw new Error(`waited in vain until ${met}`);
    await new Promise(setImmediate);
  }
}
