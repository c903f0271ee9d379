// Another app in the same project: its Firestore rules would be replaced, its functions of the same names overwritten, and its
// documents in collections of the same names would lose their indexes, or be deleted when they expire.
import { readFileSync } from 'node:fs';
import { CODEBASE } from './deploy-function.mjs';

const RULES = read('../firestore.rules');
/** What every version of our rules says in a comment. */
const RULES_MARK = 'uses the Admin SDK, which these rules do not bind';
/** The rules of a new database, without blanks and comments: nothing is allowed, or everything until a day. */
const NEW_RULES =
  /^(rules_version=['"]2['"];)?servicecloud\.firestore\{match\/databases\/\{database\}\/documents\{match\/\{document=\*\*\}\{allowread,write:if(false|request\.time<timestamp\.date\([\d,]+\));\}\}\}$/;
/** The secret by which functions of earlier versions are known, which were in the default codebase. */
const OWN_SECRET = 'KEY_PEPPER';
const OWN_PROJECT = 'Deploy to a project of its own';
const APART = `${OWN_PROJECT}; or merge firestore.rules and firestore.indexes.json into those of the other app, deploy them from there, and leave them out here: --except firestore`;

/** What deploying `targets` would do to another app, in a sentence each. */
export async function neighbourProblems(google, { project, region, names, targets }) {
  const has = (...wanted) => targets.some((target) => wanted.includes(target));
  const functions = await google.functions();
  const isOurs = ({ codebase }) => codebase === CODEBASE || (codebase === 'default' && hasOwnSecret(functions, region));
  return [
    ...(targets.some((target) => /^functions(:|$)/.test(target))
      ? functionProblems(functions.filter((one) => one.region === region && names.includes(one.id) && !isOurs(one)))
      : []),
    ...(has('firestore', 'firestore:rules') ? rulesProblems(await google.firestoreRules(), project) : []),
    ...(has('firestore', 'firestore:indexes')
      ? await indexProblems(google, { project, hasOwnDocuments: functions.some(isOurs) })
      : []),
  ];
}

function hasOwnSecret(functions, region) {
  return functions.some((one) => one.id === 'api' && one.region === region && one.secrets.includes(OWN_SECRET));
}

function functionProblems(taken) {
  return taken.map(
    ({ id, region }) =>
      `The function ${id} in ${region}: it is of another app, and would be overwritten. ${OWN_PROJECT}, or in another region: REGION=… in the environment`,
  );
}

function rulesProblems(released, project) {
  const loss = lossOfRules(released ?? '');
  return loss ? [`The Firestore rules of ${project}: ${loss}. ${APART}`] : [];
}

/** What would be lost of rules, unless they are ours in any version, or nobody's. Another app may have merged ours into its own. */
export function lossOfRules(text) {
  const released = withLineFeeds(text);
  const code = released.replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*/g, '');
  const compact = code.replaceAll(/\s/g, '');
  if (released === RULES || compact === '' || NEW_RULES.test(compact)) return undefined;
  if (!released.includes(RULES_MARK)) return 'they are of another app, and would be replaced';
  const own = new Set(pathsIn(RULES));
  const lost = pathsIn(code).filter((path) => !own.has(path));
  return lost.length > 0 ? `firestore.rules lacks what they have for ${listed(lost)}` : undefined;
}

/** The paths that rules are for. */
function pathsIn(rules) {
  return [...rules.matchAll(/\bmatch\s+(\S+)/g)].map(([, path]) => path);
}

async function indexProblems(google, { project, hasOwnDocuments }) {
  const { indexes, fieldOverrides } = readJson('../firestore.indexes.json');
  const there = await google.firestoreIndexes();
  const own = [...indexes, ...fieldOverrides].map(({ collectionGroup }) => collectionGroup);
  const foreign = [...there.indexes, ...there.fields].map(({ group }) => group).filter((group) => !own.includes(group));
  const problem = `The Firestore database of ${project}: it has indexes of another app, on ${listed(foreign)}. ${APART}`;
  const problems = foreign.length > 0 ? [problem] : [];
  if (hasOwnDocuments) return problems;
  const taken = await google.groupsWithDocuments(groupsToChange(fieldOverrides, there.fields));
  if (taken.length === 0) return problems;
  return [
    ...problems,
    `The Firestore database of ${project}: there are documents in ${listed(taken)}, which would not be indexed any more and would be deleted when they expire. ${OWN_PROJECT}. If they are of an earlier Ensemble API, deploy the indexes first: npm run firebase -- deploy --only firestore --project ${project}`,
  ];
}

/** The collection groups that have all indexes, and lose some or get an expiry. */
function groupsToChange(overrides, fields) {
  const isThere = (one) => fields.some(({ group, path }) => group === one.collectionGroup && path === one.fieldPath);
  const done = overrides.filter(isThere).map(({ collectionGroup }) => collectionGroup);
  const harmful = overrides.filter(({ ttl, indexes }) => ttl || indexes.length === 0);
  const groups = new Set(harmful.map(({ collectionGroup }) => collectionGroup));
  return [...groups].filter((group) => !done.includes(group));
}

function listed(groups) {
  return [...new Set(groups)].toSorted().join(', ');
}

function read(file) {
  return withLineFeeds(readFileSync(file, 'utf8'));
}

function withLineFeeds(text) {
  return text.replaceAll('\r\n', '\n');
}

function readJson(file) {
  return JSON.parse(read(file));
}
