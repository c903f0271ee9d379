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
    ...neighbours(load, { project, client }),
    ...organisation(load, { project, client }),
  };
}

/** What there is in the project, whoever has put it there. */
function neighbours(load, { project, client }) {
  const rules = load('gcp/rules');
  const firestore = new (load('firestore/api').FirestoreApi)();
  const { parseIndexName, parseFieldName } = load('firestore/util');
  return {
    /** The functions of both generations. */
    async functions() {
      const listed = ['gcp/cloudfunctions', 'gcp/cloudfunctionsv2'].map((name) =>
        orOff(load(name).listAllFunctions(project)),
      );
      return (await Promise.all(listed)).flatMap((found) => found?.functions ?? []).map(functionOf);
    },
    /** The text of the rules that are released for the default database; undefined when none are. */
    async firestoreRules() {
      const releases = (await orOff(rules.listAllReleases(project))) ?? [];
      const release = releases.find(({ name }) => name === `projects/${project}/releases/cloud.firestore`);
      const files = release && (await rules.getRulesetContent(release.rulesetName));
      return files?.map(({ content }) => content).join('\n');
    },
    /** The indexes of several fields, and the fields that are not indexed as all others are. */
    async firestoreIndexes() {
      const [indexes, fields] = await Promise.all([
        orOff(firestore.listIndexes(project)),
        orOff(firestore.listFieldOverrides(project)),
      ]);
      return {
        indexes: (indexes ?? []).map(({ name }) => ({ group: parseIndexName(name).collectionGroupId })),
        fields: (fields ?? []).map(({ name }) => {
          const { collectionGroupId: group, fieldPath: path } = parseFieldName(name);
          return { group, path };
        }),
      };
    },
    /** Those of the collection groups that have a document. */
    async groupsWithDocuments(groups) {
      const path = `/projects/${project}/databases/(default)/documents:runQuery`;
      const found = groups.map(async (collectionId) => {
        const structuredQuery = { from: [{ collectionId, allDescendants: true }], limit: 1 };
        const answer = await orOff(client(load('api').firestoreOrigin(), 'v1').post(path, { structuredQuery }));
        return [answer?.body].flat().some((one) => one?.document) ? [collectionId] : [];
      });
      return (await Promise.all(found)).flat();
    },
  };
}

function functionOf({ name, labels = {}, secretEnvironmentVariables, serviceConfig = {} }) {
  const [, , , region, , id] = name.split('/');
  const secrets = serviceConfig.secretEnvironmentVariables ?? secretEnvironmentVariables ?? [];
  return {
    id,
    region,
    codebase: labels['firebase-functions-codebase'] ?? 'default',
    secrets: secrets.map(({ key }) => key),
  };
}

/** What the project's organisation lets it do; undefined where this account may not know. */
function organisation(load, { project, client }) {
  const api = load('api');
  return {
    /** Whether everybody may call a function that is deployed. */
    async isPublic(region, name) {
      const path = `/projects/${project}/locations/${region}/services/${name}:getIamPolicy`;
      const found = await orNothing(client(api.runOrigin(), 'v1').get(path), 403, 404);
      return (found?.body.bindings ?? []).some(({ members }) => members.includes('allUsers'));
    },
    async isPublicForbidden() {
      const path = `/projects/${project}:getEffectiveOrgPolicy`;
      const constraint = 'constraints/iam.allowedPolicyMemberDomains';
      const found = await orNothing(client(api.resourceManagerOrigin(), 'v1').post(path, { constraint }), 403, 404);
      const { allValues, allowedValues = [] } = found?.body.listPolicy ?? {};
      return found && (allValues === 'DENY' || allowedValues.length > 0);
    },
    policy: () => orNothing(load('gcp/resourceManager').getIamPolicy(project), 403),
    /** The accounts that build and run functions where no other is named; those of a service that is off are not there yet. */
    async defaultAccounts() {
      const path = `/projects/${project}/locations/global/defaultServiceAccount`;
      const [build, compute] = await Promise.all([
        orNothing(client(api.cloudbuildOrigin(), 'v1').get(path), 403, 404),
        orNothing(client(api.computeOrigin(), 'compute/v1').get(`/projects/${project}`), 403, 404),
      ]);
      return {
        build: build?.body.serviceAccountEmail?.split('/').at(-1),
        compute: compute?.body.defaultServiceAccount,
      };
    },
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

/** What is answered; undefined when there is nothing, or the service was never switched on. */
async function orOff(answer) {
  try {
    return await answer;
  } catch (error) {
    if (statusOf(error) === 404 || isOff(error)) return undefined;
    throw error;
  }
}

/** Whether a failure says that the service is switched off, as those are of which a project has made no use. */
export function isOff(error) {
  return /has not been used|SERVICE_DISABLED/.test(`${error.message} ${error.original?.message}`);
}

/** The HTTP status that a failure of the CLI's modules came with. */
export function statusOf(error) {
  return error.status ?? error.original?.status ?? error.context?.response?.statusCode;
}
