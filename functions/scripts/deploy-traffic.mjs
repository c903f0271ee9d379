// Which revision of the function is called. `firebase deploy` leaves traffic that was pinned to a revision where it is, so
// that after a rollback the next deployment has to point it at the newest again.
const LATEST = 'TRAFFIC_TARGET_ALLOCATION_TYPE_LATEST';
const REVISION = 'TRAFFIC_TARGET_ALLOCATION_TYPE_REVISION';
const SERVICE = 'api';

/** Sends all requests to the newest revision; returns whether they went elsewhere before. */
export async function serveLatest(google, region) {
  const service = await google.service(region, SERVICE);
  const isPinned = (service?.traffic ?? []).some(({ type, percent }) => type === REVISION && percent > 0);
  if (isPinned) await google.setTraffic(service, [{ type: LATEST, percent: 100 }]);
  return isPinned;
}

/** The revision that serves and the one before it that can; a sentence when there is none. */
export async function revisionBefore(google, region) {
  const service = await google.service(region, SERVICE);
  if (!service) return { problem: `The function ${SERVICE} is not deployed in ${region}` };
  const revisions = (await google.revisions(region, SERVICE)).toSorted((a, b) =>
    b.createTime.localeCompare(a.createTime),
  );
  const names = revisions.map(({ name }) => lastPart(name));
  const serving = servingRevision(service);
  const at = names.indexOf(serving);
  const before = at < 0 ? undefined : names.slice(at + 1).find((_, index) => isReady(revisions[at + 1 + index]));
  if (!before) return { problem: `There is no revision of ${SERVICE} before ${serving} that can serve` };
  return { service, serving, before, createdAt: revisions[names.indexOf(before)].createTime };
}

/** Sends all requests to one revision. */
export function serveRevision(google, service, revision) {
  return google.setTraffic(service, [{ type: REVISION, revision, percent: 100 }]);
}

function servingRevision({ traffic = [], latestReadyRevision = '' }) {
  const pinned = traffic.find(({ type, percent }) => type === REVISION && percent > 50);
  return pinned ? pinned.revision : lastPart(latestReadyRevision);
}

function isReady({ conditions = [] }) {
  return conditions.some(({ type, state }) => type === 'Ready' && state === 'CONDITION_SUCCEEDED');
}

function lastPart(name) {
  return name.split('/').at(-1);
}
