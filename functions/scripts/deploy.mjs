// From a Google project to a served request, or to the list of what is missing. Every step looks first whether it is done:
// a run that was interrupted goes on where it stopped. `--check` changes nothing, `--rollback` goes back by one revision.
import { readFileSync } from 'node:fs';
import {
  accessProblem,
  chooseProject,
  dotenvProblems,
  projectProblems,
  secretProblems,
  stateProblems,
} from './deploy-check.mjs';
import { costAtRest } from './deploy-cost.mjs';
import { declaredFunctions, deploySteps, firebaseDeploy } from './deploy-function.mjs';
import { neighbourProblems } from './deploy-neighbours.mjs';
import { deployOptions, USAGE } from './deploy-options.mjs';
import { organisationProblems } from './deploy-organisation.mjs';
import { chooseRegion } from './deploy-region.mjs';
import { hasNoProvider, valuesOfSecrets } from './deploy-secrets.mjs';
import { keepSetting, settingsOf } from './deploy-settings.mjs';
import { chooseSite, deployWords, originOfFunction, siteWanted, targetsOf } from './deploy-site.mjs';
import { revisionBefore, serveLatest, serveRevision } from './deploy-traffic.mjs';
import { ensureBuilt } from './ensure-built.mjs';
import { firstRequest, makeFirstUser } from './first-user.mjs';
import { openProject } from './google-project.mjs';

const FOLDER = '.';
const { values, passedOn, problem: misused } = deployOptions(process.argv.slice(2));
if (misused) console.error(`${misused}\n${USAGE}`);
else if (values.help) console.log(USAGE);
if (misused || values.help) process.exit(misused ? 2 : 0);

try {
  await main();
} catch (error) {
  console.error(`Stopped: ${error.message}\nWhen that is mended, run the same command again: it goes on from there.`);
  process.exitCode = 1;
}

async function main() {
  const project = chooseProject(values.project, readJson('../.firebaserc').projects);
  stopAt(projectProblems(project));
  if (!values.rollback) ensureBuilt();
  const google = await openProject(project).catch((error) => stopAt([accessProblem(error, project)]));
  stopAt(await stateProblems(google, project));
  const databaseLocation = (await google.databaseLocation()) ?? readJson('../firebase.json').firestore.location;
  const wanted = process.env.REGION?.trim();
  const { region, isKept, problem } = chooseRegion({ folder: FOLDER, project, wanted, databaseLocation });
  if (problem) stopAt([problem]);
  if (values.rollback) return rollBack(google, region);

  const settings = settingsOf(FOLDER, project);
  const { names, secrets } = await declaredFunctions(settings);
  const missing = await secretProblems(secrets, project, google.versionsOf);
  const isAsked = process.stdin.isTTY === true && !values.yes;
  const isTold = values.check || (!isAsked && !values.yes);
  stopAt([
    ...dotenvProblems(FOLDER, project, secrets),
    ...(await neighbourProblems(google, { project, region, names, targets: targetsOf(values) })),
    ...(await organisationProblems(google, { project, region, serviceAccount: settings.SERVICE_ACCOUNT })),
    ...(isTold ? missing.map(({ text }) => text) : []),
  ]);
  const site = await siteOf(google, settings, project);
  if (values.check) return console.log(checked(project, site));

  await makeSecrets(google, { project, missing: missing.map(({ name }) => name), isAsked });
  if (!isKept) keepSetting(FOLDER, project, `REGION=${region}`);
  // The function lets the pages of this site ask it for streams.
  if (site.id && site.id !== (settings.HOSTING_SITE || project))
    keepSetting(FOLDER, project, `HOSTING_SITE=${site.id}`);
  console.log(`Deploying to ${project}: functions in ${region}, database in ${databaseLocation}.`);
  const functionOrigin = originOfFunction({ project, region, settings });
  await deployAll(google, { project, region, site: site.id, isNamed: site.isNamed, functionOrigin });
  if (site.address) console.log(`\nDashboard: ${site.address}`);
  if (!(await serves(google, project, region))) process.exitCode = 1;
}

/** The site for the pages, or why there is none, which is said. */
async function siteOf(google, settings, project) {
  const { name, problem } = siteWanted(process.env, settings, project);
  if (problem) stopAt([problem]);
  const site = await chooseSite(google, name);
  if (site.problem) console.log(`The dashboard is not deployed: ${site.problem}`);
  const isToKeep = site.id !== undefined && site.id !== (settings.HOSTING_SITE || project);
  return { ...site, isNamed: Boolean(name), isToKeep };
}

/** Ends the program with a list of what is missing; goes on where nothing is. */
function stopAt(problems) {
  if (problems.length === 0) return;
  const isFull = values.check || values.rollback || values.yes;
  const hint = isFull ? '' : '\nIn a terminal you are asked for keys; --yes takes them from the environment.';
  console.error(`Not deployed. Missing:\n${problems.map((one) => `  - ${one}`).join('\n')}${hint}`);
  process.exit(1);
}

async function makeSecrets(google, { project, missing, isAsked }) {
  if (missing.length === 0) return;
  const message = (name) => `${name} API key (not shown; Enter for none):`;
  const ask = isAsked ? (name) => google.ask.password({ message: message(name) }) : undefined;
  const made = await valuesOfSecrets(missing, process.env, ask);
  if (hasNoProvider(made, settingsOf(FOLDER, project))) {
    stopAt([
      `A provider: set OPENAI_API_KEY, ANTHROPIC_API_KEY or GEMINI_API_KEY in the environment, or a base URL in functions/.env.${project}`,
    ]);
  }
  await google.prepareSecrets();
  for (const [name, value] of Object.entries(made)) {
    await google.writeSecret(name, value);
    console.log(`Secret ${name}: ${value === 'none' ? 'none' : 'set'}`);
  }
}

function checked(project, { address }) {
  return `Nothing is missing to deploy to ${project}.${address ? ` The dashboard will be at ${address}` : ''}`;
}

/** The CLI ends with a failure, the functions being deployed, where images are never deleted: then they shall be. */
async function deployAll(google, { project, region, ...site }) {
  const deployed = deployWords(values, { project, ...site });
  if (!deployed) throw new Error('there is nothing left to deploy');
  const run = () => runInSteps(project, deployed);
  try {
    const hadPolicy = await google.hasCleanupPolicy(region);
    const status = await run();
    const hasPolicy = await google.hasCleanupPolicy(region);
    if (hasPolicy !== undefined && !hadPolicy) await google.setCleanupPolicy(region);
    if (status !== 0 && (hasPolicy !== false || (await run()) !== 0)) {
      throw new Error('firebase deploy failed; its words are above');
    }
  } finally {
    deployed.remove();
  }
  if (await serveLatest(google, region)) console.log('Requests go to the newest revision again.');
}

/** Returns the exit status of the first step that failed. */
async function runInSteps(project, { targets, words }) {
  for (const step of deploySteps(targets, settingsOf(FOLDER, project))) {
    const status = await firebaseDeploy(project, [...passedOn, ...step, ...words]);
    if (status !== 0) return status;
  }
  return 0;
}

/** Tells where it serves, makes the first user and asks one question; returns whether that was answered. */
async function serves(google, project, region) {
  const baseUrl = `${(await google.service(region, 'api')).uri}/v1`;
  console.log(`\nBase URL: ${baseUrl}`);
  const env = { ...process.env, ...(await google.credentials()), GCLOUD_PROJECT: project };
  const { user, key, keyId } = await makeFirstUser({ ...env, KEY_PEPPER: await google.readSecret('KEY_PEPPER') });
  const known = `${user} has one already; npm run admin -- --store firestore keys rotate --id ${keyId} makes a new one`;
  console.log(`API key:  ${key ? `${key}   (of ${user}; it is not shown again)` : known}`);
  const { answer, problem } = key ? await firstRequest(baseUrl, key) : {};
  if (answer !== undefined) console.log(`Is a tomato a fruit? ${answer.slice(0, 200)}`);
  if (problem) console.error(`Deployed, but ${problem}\nThe log: npm run logs -- --project ${project}`);
  console.log(costAtRest(Number(settingsOf(FOLDER, project).MIN_INSTANCES ?? 0)));
  return problem === undefined;
}

async function rollBack(google, region) {
  const { problem, service, serving, before, createdAt } = await revisionBefore(google, region);
  if (problem) throw new Error(problem);
  const sentence = `from ${serving} back to ${before}, of ${createdAt}`;
  if (values.check) return console.log(`Requests would go ${sentence}.`);
  await serveRevision(google, service, before);
  console.log(`Requests go ${sentence}. The next deployment serves its own revision again.
The dashboard's pages stay as they are; their older releases: https://console.firebase.google.com/project/_/hosting`);
}

function readJson(file) {
  return JSON.parse(readFileSync(file, 'utf8'));
}
