// From a Google project to a served request, or to the list of what is missing. Every step looks first whether it is done:
// a run that was interrupted goes on where it stopped. `--check` changes nothing, `--rollback` goes back by one revision.
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { FUNCTION_BUILD } from './builds.mjs';
import { declaredFunctions, deployTargets } from './deploy-function.mjs';
import { neighbourProblems, projectProblems } from './deploy-problems.mjs';
import {
  hasNoProvider,
  missingSecrets,
  readSecret,
  secretProblem,
  valuesOfSecrets,
  writeSecrets,
} from './deploy-secrets.mjs';
import { rollBack, serveLatest, serviceOf } from './deploy-traffic.mjs';
import { openProject } from './firebase-cli.mjs';
import { firstRequest, makeFirstUser } from './first-user.mjs';
import { chooseSite, RELEASE_MESSAGE, writeConfig } from './hosting.mjs';
import { FLAG, readOptions } from './options.mjs';

/** Regions of functions beside databases that are kept in several. */
const BESIDE = { nam5: 'us-central1', nam7: 'us-central1', eur3: 'europe-west1' };
/** Options; any other is refused: a misspelt `--check` must not deploy, and --force deletes what is of others. */
const OPTIONS = {
  ...{ project: { type: 'string', short: 'P' }, check: FLAG, yes: FLAG, rollback: FLAG },
  only: { type: 'string', default: 'functions,firestore,hosting' },
  except: { type: 'string', default: '' },
  ...{ message: { type: 'string', short: 'm' }, 'non-interactive': FLAG },
};
const SIGN_IN = `A sign-in: npm run firebase -- login, or GOOGLE_APPLICATION_CREDENTIALS for a service account's key file`;
const USAGE = `usage: npm run deploy -- --project PROJECT [--check | --yes | --rollback]

  --check     says what is missing and changes nothing
  --yes       asks nothing: provider keys are taken from the environment
  --rollback  lets the revision before serve again

--only, --except, --message and --non-interactive are handed on to firebase deploy.`;

const values = readOptions(USAGE, OPTIONS);
try {
  await main();
} catch (error) {
  console.error(`Stopped: ${error.message}\nWhen that is mended, run the same command again: it goes on from there.`);
  process.exitCode = 1;
}

async function main() {
  const project = projectNamed(values.project);
  if (!values.rollback) FUNCTION_BUILD.ensure();
  const google = await openProject(project).catch((error) =>
    stopAt([`Access to project ${project}: ${error.message}`, SIGN_IN]),
  );
  stopAt(await projectProblems(google, project));
  const settings = settingsOf(project);
  const database = await google.get('firestoreOrigin', `/v1/projects/${project}/databases/(default)`);
  const databaseLocation =
    database?.locationId ?? JSON.parse(readFileSync('../firebase.json', 'utf8')).firestore.location;
  const region = chosen('REGION', settings, project) ?? BESIDE[databaseLocation] ?? databaseLocation;
  if (values.rollback) {
    return rollBack(google, await serviceOf(google, project, region), { isCheck: values.check });
  }
  const targets = values.only.split(',').filter((target) => !values.except.split(',').includes(target));
  const missing = await findMissing(google, { project, region, settings, targets });
  const wanted = chosen('HOSTING_SITE', settings, project);
  const site = await chooseSite(google, project, wanted);
  if (site.problem) console.log(`The dashboard is not deployed: ${site.problem}`);
  const address = site.id ? ` The dashboard will be at ${site.address}` : '';
  if (values.check) return console.log(`Nothing is missing to deploy to ${project}.${address}`);
  await makeSecrets(google, { project, missing, settings });
  keepSetting(project, 'REGION', region);
  // The function lets the pages of this site ask it for streams.
  if (site.id && site.id !== project) keepSetting(project, 'HOSTING_SITE', site.id);
  console.log(`Deploying to ${project}: functions in ${region}, database in ${databaseLocation}.`);
  await deployTargets(google, {
    ...{ project, region },
    targets: targets.filter((target) => site.id || !/^hosting(?::|$)/.test(target)),
    words: wordsFor({ project, region, settings, site: wanted && site.id, hasPages: site.id !== undefined }),
  });
  await serveLatest(google, await serviceOf(google, project, region));
  if (site.id) console.log(`\nDashboard: ${site.address}`);
  await tryOut(google, { project, region });
}

/** The project of `--project`, an alias of `.firebaserc` or an id, else the default there; the program ends where it is none to deploy to. */
function projectNamed(name) {
  const { projects } = JSON.parse(readFileSync('../.firebaserc', 'utf8'));
  const project = projects[name ?? 'default'] ?? name;
  if (project && !project.startsWith('demo-')) return project;
  const why = project ? `"${project}" exists in the emulators only` : 'none is named';
  return stopAt([`A Firebase project: ${why}. Name yours: npm run deploy -- --project <project id>`]);
}

/** Ends the program with a list of what is missing; goes on where nothing is. */
function stopAt(problems) {
  if (problems.length === 0) return;
  console.error(`Not deployed. Missing:\n${problems.map((one) => `  - ${one}`).join('\n')}`);
  process.exit(1);
}

/** The names of missing secrets, where they can be asked for or taken from the environment; else, as with anything else, the program ends. */
async function findMissing(google, { project, region, settings, targets }) {
  const { names, secrets } = await declaredFunctions(settings);
  const missing = await missingSecrets(google, project, secrets);
  const STORE = settings.STORE || 'firestore';
  const kept = STORE === 'firestore' ? [] : [`STORE=${STORE}: deployed, only Firestore keeps anything`];
  const isGiven = !values.check && (values.yes || process.stdin.isTTY === true);
  stopAt([
    ...kept,
    ...(await neighbourProblems(google, { project, region, names, targets })),
    ...(isGiven ? [] : missing.map((name) => secretProblem(name, project))),
  ]);
  return missing;
}

async function makeSecrets(google, { project, missing, settings }) {
  if (missing.length === 0) return;
  const made = await valuesOfSecrets(missing, process.env, values.yes ? undefined : google.askSecretly);
  if (hasNoProvider(made, settings)) {
    stopAt([`A provider: set the key of one in the environment, or a base URL in functions/.env.${project}`]);
  }
  await writeSecrets(google, project, made);
}

/** The settings that are deployed to a project, as `firebase deploy` reads them. Like it this passes over a byte order mark. */
function settingsOf(project) {
  const files = ['.env', `.env.${project}`].filter((file) => existsSync(file));
  return Object.assign({}, ...files.map((file) => parseEnv(readFileSync(file, 'utf8').replace(/^\uFEFF/, ''))));
}

/** A setting of the environment or of those deployed. It is kept: functions that change their region are made a second time. */
function chosen(name, settings, project) {
  const [wanted, kept] = [process.env[name]?.trim(), settings[name]];
  if (wanted && kept && wanted !== kept) {
    stopAt([`${name} is ${wanted}, but functions/.env.${project} or functions/.env says ${kept}: change it there.`]);
  }
  return wanted || kept || undefined;
}

/** Writes a setting down in `functions/.env.<project>`, for this deployment and all later ones. */
function keepSetting(project, name, value) {
  if (settingsOf(project)[name] === value) return;
  const file = `.env.${project}`;
  const text = existsSync(file) ? readFileSync(file, 'utf8') : '';
  appendFileSync(file, `${text === '' || text.endsWith('\n') ? '' : '\n'}${name}=${value}\n`);
}

/** The words for `firebase deploy` behind its targets. */
function wordsFor({ project, region, settings, site, hasPages }) {
  const message = ['--message', [RELEASE_MESSAGE, values.message].filter(Boolean).join(': ')];
  if (!hasPages) return message;
  // Where the pages find the function itself: under an address of its own, or the one of `PUBLIC_BASE_URL`.
  const { PUBLIC_BASE_URL: url } = settings;
  const functionOrigin = url ? new URL(url).origin : `https://${region}-${project}.cloudfunctions.net`;
  const config = writeConfig('../firebase.json', {
    label: `site.${project}`,
    origins: { 'connect-src': [functionOrigin] },
    change: ({ hosting }) => site && Object.assign(hosting, { site }),
  });
  return [...message, '--config', config.replace('../', '')];
}

/** Says where it serves, makes the first user and asks one question. */
async function tryOut(google, { project, region }) {
  const baseUrl = `${(await serviceOf(google, project, region)).uri}/v1`;
  console.log(`\nBase URL: ${baseUrl}`);
  const env = { ...process.env, ...(await google.credentials()), GCLOUD_PROJECT: project };
  const pepper = await readSecret(google, project, 'KEY_PEPPER');
  const { user, key, keyId } = await makeFirstUser({ ...env, KEY_PEPPER: pepper });
  const known = `${user} has one already; npm run admin -- --store firestore keys rotate --id ${keyId} makes a new one`;
  console.log(`API key:  ${key ? `${key}   (of ${user}; it is not shown again)` : known}`);
  const { answer, problem } = key ? await firstRequest(baseUrl, key) : {};
  if (answer !== undefined) console.log(`Is a tomato a fruit? ${answer.slice(0, 200)}`);
  if (problem) {
    console.error(`Deployed, but ${problem}\nThe log: npm run logs -- --project ${project}`);
    process.exitCode = 1;
  }
  console.log('What it costs, also at rest: docs/deploy.md#what-it-costs');
}
