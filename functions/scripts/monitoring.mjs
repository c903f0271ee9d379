// `npm run monitoring -- --project P`: brings the log-based metrics, alerts and dashboard of monitoring/ into a project, as
// whoever is signed in to the Firebase CLI. What is there already is updated; everything else is left alone.
import { readdirSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { openProject } from './firebase-cli.mjs';
import { readOptions } from './options.mjs';

const USAGE = 'npm run monitoring -- --project <project id> [--channel <name of a notification channel>]…';
const FOLDER = '../monitoring';
/** The label by which a policy in a project is known to be that of a file. */
const LABEL = 'ensemble-alert';
/** A metric can be alerted on up to ten minutes after it was made; until then Monitoring says that it cannot be found. */
const METRIC_MISSING = /Cannot find metric/i;
const RETRY_EVERY_MS = 20_000;
const RETRIES_MAX = 30;

const { project, channel: channels } = readOptions(USAGE, {
  project: { type: 'string', short: 'P', default: '' },
  channel: { type: 'string', multiple: true, default: [] },
});
try {
  if (!project) throw new Error(USAGE);
  await bringAll(await openProject(project));
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}

async function bringAll(google) {
  for (const [name, metric] of filesIn('metrics')) {
    await google.send('cloudloggingOrigin', `PUT /v2/projects/${project}/metrics/${name}`, { name, ...metric });
    console.log(`metric ${name}: as it should be`);
  }
  const policies = `/v3/projects/${project}/alertPolicies`;
  const { alertPolicies = [] } = await google.send('cloudMonitoringOrigin', `GET ${policies}?pageSize=1000`);
  for (const [name, policy] of filesIn('policies')) {
    const there = alertPolicies.find(({ userLabels }) => userLabels?.[LABEL] === name);
    // What operators have chosen in the console stays: who is notified, and whether.
    const notificationChannels = [...new Set([...(there?.notificationChannels ?? []), ...channels])];
    const wanted = { ...policy, enabled: there?.enabled ?? true, notificationChannels };
    await write(google, there ? `PATCH /v3/${there.name}` : `POST ${policies}`, wanted);
    console.log(`alert ${name}: as it should be`);
  }
  const dashboards = `/v1/projects/${project}/dashboards`;
  const name = `${dashboards.slice(4)}/ensemble-api`;
  const there = await google.get('cloudMonitoringOrigin', `/v1/${name}`);
  // An update must name the state that it is made from.
  const wanted = { ...contentOf('dashboard.json'), name, etag: there?.etag };
  await write(google, there ? `PATCH /v1/${name}` : `POST ${dashboards}`, wanted);
  console.log('dashboard: as it should be');
}

async function write(google, request, body) {
  for (let tries = 0; ; tries += 1) {
    try {
      return await google.send('cloudMonitoringOrigin', request, body);
    } catch (error) {
      if (tries === RETRIES_MAX || !METRIC_MISSING.test(error.message)) throw error;
      await pause(RETRY_EVERY_MS);
    }
  }
}

function filesIn(folder) {
  const files = readdirSync(`${FOLDER}/${folder}`).sort();
  return files.map((file) => [basename(file, '.json'), contentOf(`${folder}/${file}`)]);
}

function contentOf(path) {
  return JSON.parse(readFileSync(`${FOLDER}/${path}`, 'utf8'));
}
