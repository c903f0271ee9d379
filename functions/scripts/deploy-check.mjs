// What is missing before the function can be deployed, as sentences; empty when nothing is.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { readSettings } from './deploy-settings.mjs';
import { isOff, statusOf } from './google-project.mjs';

/** Names that Firebase sets itself and refuses in dotenv files. */
const RESERVED =
  /^(PORT|K_\w+|GCLOUD_PROJECT|GCP_PROJECT|GOOGLE_CLOUD_PROJECT|FUNCTION_\w+|FIREBASE_\w+|X_GOOGLE_\w+|EXT_\w+)$/;

/** The project to deploy to: as named (an alias of `.firebaserc` or an id), else the default of `.firebaserc`. */
export function chooseProject(name, aliases) {
  return aliases[name ?? 'default'] ?? name;
}

export function projectProblems(project) {
  if (project && !project.startsWith('demo-')) return [];
  const why = project ? `"${project}" exists in the emulators only` : 'none is named';
  return [`A Firebase project: ${why}. Name yours: npm run deploy -- --project <project id>`];
}

/** What whoever deploys must be allowed in the whole project, with the role that has it. */
const PERMISSIONS = {
  'artifactregistry.repositories.update': 'roles/artifactregistry.admin',
  'cloudfunctions.functions.setIamPolicy': 'roles/cloudfunctions.admin',
  'cloudscheduler.jobs.create': 'roles/cloudscheduler.admin',
  'datastore.indexes.create': 'roles/datastore.owner',
  'firebase.projects.get': 'roles/firebase.viewer',
  'firebasehosting.sites.update': 'roles/firebasehosting.admin',
  'firebaserules.rulesets.create': 'roles/firebaserules.admin',
  'run.services.update': 'roles/run.admin',
  'secretmanager.secrets.create': 'roles/secretmanager.admin',
  'serviceusage.services.enable': 'roles/serviceusage.serviceUsageAdmin',
};

/** What is wrong with the project itself, or with what this account may do there. */
export async function stateProblems(google, project) {
  if (!(await google.exists())) {
    return [
      `The project ${project}: it does not exist, or this account may not see it. Yours: npm run firebase -- projects:list`,
    ];
  }
  const problems = [];
  if ((await google.billingEnabled()) === false) {
    problems.push(
      `The Blaze plan, which functions need: https://console.firebase.google.com/project/${project}/usage/details`,
    );
  }
  const missing = await google.missingPermissions(Object.keys(PERMISSIONS));
  return [...problems, ...missing.map((name) => `The permission ${name}: ask an owner for ${PERMISSIONS[name]}`)];
}

/** Settings of the dotenv files in `folder` that `firebase deploy` would refuse, or that do not belong in production. */
export function dotenvProblems(folder, project, secrets) {
  const files = ['.env', `.env.${project}`].filter((file) => existsSync(join(folder, file)));
  return files.flatMap((file) => {
    const settings = readSettings(join(folder, file));
    const move = `move it to functions/.env.local, which is not deployed`;
    return Object.entries(settings).flatMap(([name, value]) => {
      if (secrets.includes(name)) return [`functions/${file} sets ${name}, which is deployed as a secret: ${move}.`];
      if (RESERVED.test(name)) return [`functions/${file} sets ${name}, which Firebase sets itself: ${move}.`];
      if (name === 'STORE' && value !== 'firestore') {
        return [`functions/${file} sets STORE=${value}; deployed, only Firestore keeps anything: ${move}.`];
      }
      if (name === 'PUBLIC_BASE_URL' && !/^https:\/\/[\w.:-]+(\/\S*)?\/v1\/*$/.test(value)) {
        return [`functions/${file} sets PUBLIC_BASE_URL=${value}, which must be an https URL that ends in /v1.`];
      }
      return [];
    });
  });
}

/**
 * Secrets without an enabled version. `versionsOf` asks Secret Manager for the versions of one; it rejects with status
 * 404 where there is none. Each with its name, and the sentence that says how it is set by hand.
 */
export async function secretProblems(secrets, project, versionsOf) {
  const problems = [];
  for (const name of secrets) {
    try {
      const versions = await versionsOf(name);
      if (!versions.some(({ state }) => state === 'ENABLED'))
        problems.push({ name, text: secretProblem(name, project) });
    } catch (error) {
      // Before anything was deployed Secret Manager itself may be switched off.
      const isNone = statusOf(error) === 404 || isOff(error);
      if (!isNone) throw error;
      problems.push({ name, text: secretProblem(name, project) });
    }
  }
  return problems;
}

/** What a secret holds; any other holds a provider's key. */
const SECRET_VALUES = {
  KEY_PEPPER: 'a long random text, e.g. of: openssl rand -base64 32',
  ROUTER_KEY_SECRET: 'e.g. k1:$(openssl rand -base64 32), or "none" without the bring-your-own-key plan',
  ENDPOINT_KEYS: 'the keys of the endpoints in MODEL_OVERRIDES as JSON, {"name": "key"}, or "none"',
};

function secretProblem(name, project) {
  const value = SECRET_VALUES[name] ?? 'the key, or "none" when you do not use it';
  return `The secret ${name}: npm run firebase -- functions:secrets:set ${name} --project ${project}
    (${value})`;
}

/** Nobody is signed in, or the network is gone: told in the words of the failure. */
export function accessProblem(error, project) {
  return `Access to project ${project}: ${error.message}
    Sign in with: npm run firebase -- login   (or set GOOGLE_APPLICATION_CREDENTIALS to a service account's key file)`;
}
