// Brings the log-based metrics, alert policies and dashboard of `monitoring/` into a project, by the Google Cloud CLI.
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';

/** By this label a policy in a project is known to be that of a file. */
const LABEL = 'ensemble-alert';
const DASHBOARD = 'ensemble-api';

/** A metric can be alerted on up to ten minutes after it was made; until then Monitoring says that it cannot be found. */
const METRIC_MISSING = /Cannot find metric/i;
const RETRY_EVERY_MS = 20_000;
const RETRIES_MAX = 30;

/**
 * Creates what is missing, updates what differs and leaves everything else alone. `gcloud` runs the CLI with words and
 * resolves to what it prints; it rejects with what it complains of.
 */
export async function applyMonitoring({ gcloud, pause, say }, { folder, project, channels = [], check = false }) {
  const temporary = mkdtempSync(join(tmpdir(), 'ensemble-monitoring-'));
  const ofProject = ['--project', project];
  const run = (words) => gcloud([...words, ...ofProject, '--format', 'json']);
  const list = async (words) => JSON.parse((await run([...words, 'list'])) || '[]');
  try {
    for (const step of [...(await metricSteps()), ...(await policySteps()), await dashboardStep()]) await take(step);
  } finally {
    rmSync(temporary, { recursive: true });
  }

  async function metricSteps() {
    const existing = await list(['logging', 'metrics']);
    return filesOf(join(folder, 'metrics')).map(({ name, content }) => ({
      what: `metric ${name}`,
      existing: existing.find((metric) => metric.name === name),
      wanted: content,
      words: (is, path) => ['logging', 'metrics', is ? 'update' : 'create', name, '--config-from-file', path],
    }));
  }

  async function policySteps() {
    const policies = await list(['monitoring', 'policies']);
    return filesOf(join(folder, 'policies')).map(({ name, content }) => {
      const existing = policies.find(({ userLabels }) => userLabels?.[LABEL] === name);
      // What operators have chosen in the console stays: who is told, and whether.
      const notified = [...new Set([...(existing?.notificationChannels ?? []), ...channels])];
      return {
        what: `alert ${name}`,
        existing,
        wanted: { ...content, enabled: existing?.enabled ?? true, notificationChannels: notified },
        words: (is, path) => {
          const verb = is ? ['update', is.name] : ['create'];
          return ['monitoring', 'policies', ...verb, '--policy-from-file', path];
        },
      };
    });
  }

  async function dashboardStep() {
    const dashboards = await list(['monitoring', 'dashboards']);
    const existing = dashboards.find(({ name }) => name.endsWith(`/dashboards/${DASHBOARD}`));
    // An update must name the state that it is made from.
    const known = existing
      ? { name: existing.name, etag: existing.etag }
      : { name: `projects/${project}/dashboards/${DASHBOARD}` };
    return {
      what: 'dashboard',
      existing,
      wanted: { ...contentOf(join(folder, 'dashboard.json')), ...known },
      words: (is, path) => {
        const verb = is ? ['update', DASHBOARD] : ['create'];
        return ['monitoring', 'dashboards', ...verb, '--config-from-file', path];
      },
    };
  }

  async function take({ what, existing, wanted, words }) {
    if (existing && holds(existing, wanted)) return say(`${what}: as it should be`);
    if (check) return say(`${what}: would be ${existing ? 'updated' : 'created'}`);
    const path = join(temporary, 'resource.json');
    writeFileSync(path, JSON.stringify(wanted));
    await patiently(what, () => run(words(existing, path)));
    return say(`${what}: ${existing ? 'updated' : 'created'}`);
  }

  async function patiently(what, work) {
    for (let tries = 0; ; tries += 1) {
      try {
        return await work();
      } catch (error) {
        if (tries === RETRIES_MAX || !METRIC_MISSING.test(error.message)) {
          throw new Error(`${what}: ${error.message}`, { cause: error });
        }
        if (tries === 0) say(`${what}: its metric is not known to Cloud Monitoring yet, which takes up to ten minutes`);
        await pause(RETRY_EVERY_MS);
      }
    }
  }
}

function filesOf(folder) {
  const names = readdirSync(folder).filter((name) => name.endsWith('.json'));
  return names.sort().map((name) => ({ name: basename(name, '.json'), content: contentOf(join(folder, name)) }));
}

function contentOf(path) {
  return JSON.parse(readFileSync(path, 'utf8'));
}

/** Whether a resource has all that is wanted of it; what else it has was set by the API. */
function holds(actual, wanted) {
  if (typeof wanted !== 'object' || wanted === null) return actual === wanted;
  if (typeof actual !== 'object' || actual === null) return Array.isArray(wanted) && wanted.length === 0;
  if (Array.isArray(wanted) && actual.length !== wanted.length) return false;
  return Object.entries(wanted).every(([key, value]) => holds(actual[key], value));
}
