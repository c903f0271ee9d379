// The revision of the function that is called. `firebase deploy` leaves traffic that was pinned to a revision where it is, so
// that after a rollback the next deployment has to point it at the newest again.
const ORIGIN = 'runOrigin';
const LATEST = 'TRAFFIC_TARGET_ALLOCATION_TYPE_LATEST';
const REVISION = 'TRAFFIC_TARGET_ALLOCATION_TYPE_REVISION';

/** The Cloud Run service behind the function; undefined when it is not deployed. */
export function serviceOf(google, project, region) {
  return google.get(ORIGIN, `/v2/projects/${project}/locations/${region}/services/api`);
}

/** Sends all requests to the newest revision, where they go elsewhere. */
export async function serveLatest(google, service) {
  if (!(service?.traffic ?? []).some(({ type, percent }) => type === REVISION && percent > 0)) return;
  await setTraffic(google, service, { type: LATEST });
  console.log('Requests go to the newest revision again.');
}

/** Sends all requests to the revision before the one that serves and that can; with `isCheck` it is only named. */
export async function rollBack(google, service, { isCheck }) {
  if (!service) throw new Error('The function api is not deployed');
  const { revisions = [] } = await google.get(ORIGIN, `/v2/${service.name}/revisions`);
  const pinned = (service.traffic ?? []).find(({ type, percent }) => type === REVISION && percent > 50);
  const serving = pinned?.revision ?? lastPart(service.latestReadyRevision ?? '');
  const newestFirst = revisions.toSorted((a, b) => b.createTime.localeCompare(a.createTime));
  const at = newestFirst.findIndex(({ name }) => lastPart(name) === serving);
  const before = at < 0 ? undefined : newestFirst.slice(at + 1).find(isReady);
  if (!before) throw new Error(`There is no revision of api before ${serving} that can serve`);
  const sentence = `from ${serving} back to ${lastPart(before.name)}, of ${before.createTime}`;
  if (isCheck) return console.log(`Requests would go ${sentence}.`);
  await setTraffic(google, service, { type: REVISION, revision: lastPart(before.name) });
  return console.log(`Requests go ${sentence}. The next deployment serves its own revision again.
The dashboard's pages stay as they are; their older releases: https://console.firebase.google.com/project/_/hosting`);
}

function setTraffic(google, { name }, target) {
  const traffic = [{ ...target, percent: 100 }];
  return google.send(ORIGIN, `PATCH /v2/${name}?updateMask=traffic`, { name, traffic });
}

function isReady({ conditions = [] }) {
  return conditions.some(({ type, state }) => type === 'Ready' && state === 'CONDITION_SUCCEEDED');
}

function lastPart(name) {
  return name.split('/').at(-1);
}
