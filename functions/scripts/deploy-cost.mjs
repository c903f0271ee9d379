/** An idle instance that is kept ready, in dollars a month. */
const IDLE_INSTANCE_USD = 10;

/** What the deployment costs a month while nobody calls it, in a sentence. */
export function costAtRest(minInstances) {
  const idle = minInstances * IDLE_INSTANCE_USD;
  const kept = idle > 0 ? `about $${idle} a month for MIN_INSTANCES=${minInstances}, and for the rest ` : '';
  return `At rest it costs ${kept}less than $1 a month, nothing within Google's free tiers: docs/deploy.md#what-it-costs`;
}
