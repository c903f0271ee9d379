// `npm run monitoring -- --project P`: brings the log-based metrics, alerts and dashboard of monitoring/ into a project, by the
// Google Cloud CLI. Creates what is missing, updates what differs and leaves everything else alone.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';

const USAGE = 'npm run monitoring -- --project <project id> [--channel <name of a notification channel>]… [--check]';
const CHANNEL = /^projects\/[^/]+\/notificationChannels\/\d+$/;
const FOLDER = resolve('../monitoring');
/** The label by which a policy in a project is known to be that of a file. */
const LABEL = 'ensemble-alert';
const DASHBOARD = 'ensemble-api';
/** A metric can be alerted on up to ten minutes after it was made; until then Monitoring says that it cannot be found. */
const METRIC_MISSING = /Cannot find metric/i;
const RETRY_EVERY_MS = 20_000;
const RETRIES_MAX = 30;

const temporary = mkdtempSync(join(tmpdir(), 'ensemble-monitoring-'));
try {
  const { project, channel, check } = readOptions();
  const run = (words) => gcloud([...words, '--project', project, '--format', 'json']);
  const list = (...words) => JSON.parse(run([...words, 'list']) || '[]');
  const steps = [
    ...metrics(list('logging', 'metrics')),
    ...policies(list('monitoring', 'policies'), channel),
    dashboard(list('monitoring', 'dashboards'), project),
  ];
  for (const step of steps) await take(step, run, check);
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
} finally {
  rmSync(temporary, { recursive: true });
}

function readOptions() {
  const options = {
    project: { type: 'string', short: 'P', default: '' },
    channel: { type: 'string', multiple: true, default: [] },
    check: { type: 'boolean', default: false },
  };
  try {
    const { values } = parseArgs({ options });
    if (!/^[a-z][a-z0-9:.-]+$/.test(values.project)) throw new Error('--project must be the id of a project');
    const wrong = values.channel.find((one) => !CHANNEL.test(one));
    if (wrong) throw new Error(`--channel must be projects/PROJECT/notificationChannels/NUMBER, not ${wrong}`);
    return values;
  } catch (error) {
    throw new Error(`${error.message}\n${USAGE}`, { cause: error });
  }
}

function metrics(there) {
  return filesIn('metrics').map(({ name, content }) => {
    const existing = there.find((metric) => metric.name === name);
    const words = ['logging', 'metrics', existing ? 'update' : 'create', name, '--config-from-file'];
    return { what: `metric ${name}`, existing, wanted: content, words };
  });
}

function policies(there, channels) {
  return filesIn('policies').map(({ name, content }) => {
    const existing = there.find(({ userLabels }) => userLabels?.[LABEL] === name);
    // What operators have chosen in the console stays: who is notified, and whether.
    const notificationChannels = [...new Set([...(existing?.notificationChannels ?? []), ...channels])];
    const wanted = { ...content, enabled: existing?.enabled ?? true, notificationChannels };
    const words = [
      'monitoring',
      'policies',
      ...(existing ? ['update', existing.name] : ['create']),
      '--policy-from-file',
    ];
    return { what: `alert ${name}`, existing, wanted, words };
  });
}

function dashboard(there, project) {
  const existing = there.find(({ name }) => name.endsWith(`/dashboards/${DASHBOARD}`));
  // An update must name the state that it is made from.
  const { name = `projects/${project}/dashboards/${DASHBOARD}`, etag } = existing ?? {};
  const wanted = { ...contentOf(join(FOLDER, 'dashboard.json')), name, etag };
  const words = ['monitoring', 'dashboards', ...(existing ? ['update', DASHBOARD] : ['create']), '--config-from-file'];
  return { what: 'dashboard', existing, wanted, words };
}

async function take({ what, existing, wanted, words }, run, isCheck) {
  if (existing && contains(existing, wanted)) return console.log(`${what}: as it should be`);
  const verb = existing ? 'updated' : 'created';
  if (isCheck) return console.log(`${what}: would be ${verb}`);
  const path = join(temporary, 'resource.json');
  writeFileSync(path, JSON.stringify(wanted));
  for (let tries = 0; ; tries += 1) {
    try {
      run([...words, path]);
      return console.log(`${what}: ${verb}`);
    } catch (error) {
      if (tries === RETRIES_MAX || !METRIC_MISSING.test(error.message)) throw new Error(`${what}: ${error.message}`);
      if (tries === 0) console.log(`${what}: its metric is not known to Cloud Monitoring yet, which takes ten minutes`);
      await pause(RETRY_EVERY_MS);
    }
  }
}

function filesIn(folder) {
  const names = readdirSync(join(FOLDER, folder)).sort();
  return names.map((name) => ({ name: basename(name, '.json'), content: contentOf(join(FOLDER, folder, name)) }));
}

function contentOf(path) {
  return JSON.parse(readFileSync(path, 'utf8'));
}

/** True if a resource has all that is wanted of it; the API may have set more. */
function contains(actual, wanted) {
  if (typeof wanted !== 'object' || wanted === null) return actual === wanted;
  if (typeof actual !== 'object' || actual === null) return Array.isArray(wanted) && wanted.length === 0;
  if (Array.isArray(wanted) && actual.length !== wanted.length) return false;
  return Object.entries(wanted).every(([key, value]) => contains(actual[key], value));
}

/** Runs the Google Cloud CLI. On Windows that is a batch file, which only cmd.exe can start: spaces and `&` in a word are its own. */
function gcloud(words) {
  const shell = process.platform === 'win32';
  const args = [...words, '--quiet'].map((word) => (shell ? `"${word.replaceAll('"', '\\"')}"` : word));
  try {
    return execFileSync('gcloud', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'], shell });
  } catch (error) {
    if (error.code === 'ENOENT') throw new Error('gcloud is not installed: https://cloud.google.com/sdk/docs/install');
    const isOld = error.stderr?.includes("Invalid choice: 'policies'");
    const advice = isOld ? '\nThis gcloud is too old: gcloud components update' : '';
    throw new Error(`${error.stderr?.trim() || error.message}${advice}`);
  }
}
