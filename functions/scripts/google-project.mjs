// What a deployment has to know of a Google project and change in it beside `firebase deploy`, asked through the Firebase
// CLI's own modules in this process: it is signed in as the CLI is, and starting the CLI takes seconds each time.
import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import { firebaseCommand } from './firebase-cli.mjs';

/** Days that images of older revisions are kept, so that going back to them is possible. The CLI's default is one day. */
export const IMAGE_DAYS = 30;

/** The project as whoever is signed in sees it. Rejects when nobody is signed in. */
export async function openProject(project) {
  const load = cliModules();
  const account = await signIn(load, project);
  const api = load('api');
  const { Client } = load('apiv2');
  const client = (urlPrefix, apiVersion) => new Client({ urlPrefix, apiVersion, auth: true });
  const secrets = load('gcp/secretManager');
  const artifacts = load('functions/artifacts');
  const run = load('gcp/runv2');

  return {
    async exists() {
      const found = await orNothing(client(api.resourceManagerOrigin(), 'v1').get(`/projects/${project}`), 403, 404);
      return found !== undefined && found.body.lifecycleState !== 'DELETE_REQUESTED';
    },
    /** Undefined when this account may not see it. */
    async billingEnabled() {
      const path = `/projects/${project}/billingInfo`;
      const found = await orNothing(client(api.cloudbillingOrigin(), 'v1').get(path), 403);
      return found && found.body.billingEnabled === true;
    },
    async missingPermissions(permissions) {
      return (await load('gcp/iam').testIamPermissions(project, permissions)).missing;
    },
    /** Where the database is; undefined when there is none yet. */
    async databaseLocation() {
      const path = `/projects/${project}/databases/(default)`;
      return (await orNothing(client(api.firestoreOrigin(), 'v1').get(path), 403, 404))?.body.locationId;
    },
    versionsOf: (name) => secrets.listSecretVersions(project, name),
    readSecret: (name) => secrets.accessSecretVersion(project, name, 'latest'),
    prepareSecrets: () => secrets.ensureApi({ project, projectId: project }),
    /** Makes the secret unless it is there, as after an interrupted run, and adds a version. */
    async writeSecret(name, value) {
      if (!(await secrets.secretExists(project, name))) await secrets.createSecret(project, name, secrets.labels());
      await secrets.addVersion(project, name, value);
    },
    /** Whether the images of old revisions are deleted some day; undefined before anything was deployed. */
    async hasCleanupPolicy(region) {
      const found = await orNothing(artifacts.getRepo(project, region, true), 403, 404);
      if (!found) return undefined;
      return Object.keys(found.cleanupPolicies ?? {}).length > 0 || artifacts.hasCleanupOptOut(found);
    },
    async setCleanupPolicy(region) {
      await artifacts.setCleanupPolicy(await artifacts.getRepo(project, region, true), IMAGE_DAYS);
    },
    /** The Cloud Run service behind a function; undefined when it is not deployed. */
    service: (region, name) => orNothing(run.getService(project, region, name), 403, 404),
    async revisions(region, name) {
      const path = `/projects/${project}/locations/${region}/services/${name}/revisions`;
      return (await client(api.runOrigin(), 'v2').get(path)).body.revisions ?? [];
    },
    setTraffic: (service, traffic) => run.updateService({ name: service.name, traffic }, { updateMask: ['traffic'] }),
    /** The Hosting sites; none that this account may not see. */
    async sites() {
      return (
        (await orNothing(client(api.hostingApiOrigin(), 'v1beta1').get(`/projects/${project}/sites`), 403, 404))?.body
          .sites ?? []
      );
    },
    /** What was last released on a site; undefined when nothing was. */
    async lastRelease(site) {
      const path = `/projects/${project}/sites/${site}/channels/live/releases`;
      const found = await orNothing(
        client(api.hostingApiOrigin(), 'v1beta1').get(path, { queryParams: { pageSize: 1 } }),
        404,
      );
      return found?.body.releases?.[0];
    },
    /** What programs that know nothing of the CLI's sign-in are to be given to act as the same account. */
    async credentials() {
      if (process.env.GOOGLE_APPLICATION_CREDENTIALS || !account) return {};
      const file = await load('defaultCredentials').getCredentialPathAsync(account);
      return file ? { GOOGLE_APPLICATION_CREDENTIALS: file, GOOGLE_CLOUD_QUOTA_PROJECT: project } : {};
    },
    ask: load('prompt'),
  };
}

function cliModules() {
  const [, cli] = firebaseCommand([]);
  const require = createRequire(cli);
  return (path) => require(`../${path}.js`);
}

async function signIn(load, project) {
  const { selectAccount, setActiveAccount } = load('auth');
  const options = { project, projectId: project, nonInteractive: true };
  const account = selectAccount(undefined, resolve('..'));
  if (account) setActiveAccount(options, account);
  await load('requireAuth').requireAuth(options);
  return account;
}

/** What is answered; undefined when it is refused with one of `statuses`. */
async function orNothing(answer, ...statuses) {
  try {
    return await answer;
  } catch (error) {
    if (statuses.includes(statusOf(error))) return undefined;
    throw error;
  }
}

/** The HTTP status that a failure of the CLI's modules came with. */
export function statusOf(error) {
  return error.status ?? error.original?.status ?? error.context?.response?.statusCode;
}
