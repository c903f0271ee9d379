/**
 * Hands out keys in turn. No key is given out more than 30 times in a whole run, so that the service's own limit (30
 * requests a minute and user) is never met however fast the run is; throws when they are used up.
 */
export function keyRing(keys) {
  const USES_MAX = 30;
  let uses = 0;
  return () => {
    if (uses >= keys.length * USES_MAX) throw new Error(`all ${keys.length} keys are used up: seed more users`);
    const key = keys[uses % keys.length];
    uses += 1;
    return `Bearer ${key}`;
  };
}
