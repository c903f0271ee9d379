// What keeps a project from being deployed to, in a sentence each.
import { readFileSync } from 'node:fs';
import { CODEBASE } from './deploy-function.mjs';

/** Flaws of the project itself. What an account may do there `firebase deploy` finds out. */
export async function projectProblems(google, project) {
  const found = await google.get('resourceManagerOrigin', `/v1/projects/${project}`);
  if (!found || found.lifecycleState === 'DELETE_REQUESTED')
    return [`The project ${project}: it does not exist, or this account may not see it`];
  const billing = await google.get('cloudbillingOrigin', `/v1/projects/${project}/billingInfo`);
  if (!billing || billing.billingEnabled) return [];
  return [`The Blaze plan, which functions need: https://console.firebase.google.com/project/${project}/usage/details`];
}

/** The comment in every version of our rules. */
const RULES_MARK = 'uses the Admin SDK, which these rules do not bind';
/** The rules of a new database, without blanks and comments: nothing is allowed, or everything until a day. */
const NEW_RULES =
  /^(rules_version=['"]2['"];)?servicecloud\.firestore\{match\/databases\/\{database\}\/documents\{match\/\{document=\*\*\}\{allowread,write:if(false|request\.time<timestamp\.date\([\d,]+\));\}\}\}$/;
/** The secret by which functions of earlier versions are known, which were in the default codebase. */
const OWN_SECRET = 'KEY_PEPPER';
const OWN_PROJECT = 'Deploy to a project of its own';
const APART = `${OWN_PROJECT}; or merge firestore.rules and firestore.indexes.json into those of the other app, deploy them from there, and leave them out here: --except firestore`;

/** Harm that deploying `targets` would do to another app in the project. */
export async function neighbourProblems(google, { project, region, names, targets }) {
  const functions = (await google.get('functionsV2Origin', `/v2/projects/${project}/locations/-/functions`))?.functions;
  const there = (functions ?? []).map(functionOf);
  const isEarlier = there.some((one) => one.id === 'api' && one.region === region && one.secrets.includes(OWN_SECRET));
  const isOurs = ({ codebase }) => codebase === CODEBASE || (codebase === 'default' && isEarlier);
  const taken = there.filter((one) => one.region === region && names.includes(one.id) && !isOurs(one));
  const has = (...wanted) => targets.some((target) => wanted.includes(target));
  return [
    ...(targets.some((target) => /^functions(:|$)/.test(target)) ? taken.map(functionProblem) : []),
    ...(has('firestore', 'firestore:rules') ? await rulesProblems(google, project) : []),
    ...(has('firestore', 'firestore:indexes') && !there.some(isOurs) ? await documentProblems(google, project) : []),
  ];
}

function functionOf({ name, labels = {}, serviceConfig = {} }) {
  const [, , , region, , id] = name.split('/');
  const secrets = (serviceConfig.secretEnvironmentVariables ?? []).map(({ key }) => key);
  return { id, region, secrets, codebase: labels['firebase-functions-codebase'] ?? 'default' };
}

function functionProblem({ id, region }) {
  return `The function ${id} in ${region}: it is of another app, and would be overwritten. ${OWN_PROJECT}, or in another region: REGION=… in the environment`;
}

async function rulesProblems(google, project) {
  const release = await google.get('rulesOrigin', `/v1/projects/${project}/releases/cloud.firestore`);
  const files = release && (await google.get('rulesOrigin', `/v1/${release.rulesetName}`))?.source.files;
  const released = (files ?? []).map(({ content }) => content).join('\n');
  if (areReplaceable(released)) return [];
  return [`The Firestore rules of ${project}: they are of another app, and would be replaced. ${APART}`];
}

/** True if rules are ours in any version, or those of a new database. Another app may have merged ours into its own. */
export function areReplaceable(released) {
  const code = released.replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*/g, '');
  const compact = code.replaceAll(/\s/g, '');
  if (compact === '' || NEW_RULES.test(compact)) return true;
  const own = new Set(pathsIn(readFileSync('../firestore.rules', 'utf8')));
  return released.includes(RULES_MARK) && pathsIn(code).every((path) => own.has(path));
}

function pathsIn(rules) {
  return [...rules.matchAll(/\bmatch\s+(\S+)/g)].map(([, path]) => path);
}

/** Documents of collections that are named as ours would lose their indexes, and be deleted when they expire. */
async function documentProblems(google, project) {
  const database = `/v1/projects/${project}/databases/(default)`;
  if (!(await google.get('firestoreOrigin', database))) return [];
  const list = `POST ${database}/documents:listCollectionIds`;
  const { collectionIds = [] } = await google.send('firestoreOrigin', list, { pageSize: 1 });
  if (collectionIds.length === 0) return [];
  return [`The Firestore database of ${project}: it has documents of another app, as in ${collectionIds[0]}. ${APART}`];
}
