import { execFile } from 'node:child_process';
import { chmodSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryDirectory } from '../support/temporary-directory';

/** What `npm run monitoring` does in a project, with a program in place of the Google Cloud CLI. */

const FUNCTIONS = join(__dirname, '..', '..');
const MONITORING = join(FUNCTIONS, '..', 'monitoring');
const CHANNEL = 'projects/my-project/notificationChannels/7';
const OTHER_CHANNEL = 'projects/my-project/notificationChannels/8';
const PATIENCE = 30;

/** A project, by kind of resource: what `gcloud … list` prints, and what the others have made of it. */
interface Project {
  metrics: Record<string, unknown>[];
  policies: Record<string, unknown>[];
  dashboards: Record<string, unknown>[];
}

interface Applied {
  readonly project: Project;
  readonly said: readonly string[];
  readonly words: readonly string[];
  readonly pauses: number;
  readonly error?: string;
}

/** `applyMonitoring` on a project kept in memory, which knows of metrics only after `lateBy` attempts to alert on them. */
const PROGRAM = `
  import { readFileSync } from 'node:fs';
  import { applyMonitoring } from './scripts/apply-monitoring.mjs';
  const { project, options, lateBy = 0, complaint } = JSON.parse(process.argv[1]);
  const said = [], words = [];
  let late = lateBy, pauses = 0, error;
  const gcloud = async (given) => {
    const [, kind, verb, ...rest] = given;
    if (verb === 'list') return JSON.stringify(project[kind]);
    words.push(given.join(' '));
    if (complaint) throw new Error(complaint);
    const resource = JSON.parse(readFileSync(given[given.findIndex((word) => word.endsWith('-from-file')) + 1], 'utf8'));
    if (kind === 'policies' && late > 0) {
      late -= 1;
      throw new Error('ERROR: NOT_FOUND: Cannot find metric that matches type = "logging.googleapis.com/user/x".');
    }
    const name = { metrics: rest[0], policies: 'projects/my-project/alertPolicies/' + rest[0], dashboards: resource.name }[kind];
    const same = (known) => known.name === (kind === 'policies' ? rest[0] : name);
    if (verb === 'create') project[kind].push({ ...resource, name: kind === 'policies' ? name + project[kind].length : name });
    else Object.assign(project[kind].find(same), resource);
    return '{}';
  };
  try {
    await applyMonitoring({ gcloud, pause: async () => { pauses += 1; }, say: (line) => said.push(line) }, options);
  } catch (caught) {
    error = caught.message;
  }
  console.log(JSON.stringify({ project, said, words, pauses, error }));
`;

function run(args: readonly string[], env: Record<string, string> = {}): Promise<{ code: number; output: string }> {
  const settings = { PATH: process.env['PATH'], ...env };
  return new Promise((resolve) => {
    execFile(process.execPath, args, { cwd: FUNCTIONS, env: settings }, (error, stdout, stderr) =>
      resolve({ code: Number(error?.code ?? 0), output: stdout + stderr }),
    );
  });
}

async function apply(project: Project, options: object = {}, more: object = {}): Promise<Applied> {
  const given = { project, options: { folder: MONITORING, project: 'my-project', ...options }, ...more };
  const { output } = await run(['--input-type=module', '-e', PROGRAM, JSON.stringify(given)]);
  return JSON.parse(output) as Applied;
}

const names = (folder: string) => readdirSync(join(MONITORING, folder)).map((name) => name.replace('.json', ''));
const empty = (): Project => ({ metrics: [], policies: [], dashboards: [] });
const file = (path: string) => JSON.parse(readFileSync(join(MONITORING, path), 'utf8'));

describe('applyMonitoring', () => {
  it('creates every metric, then every alert, then the dashboard, as the files have them', async () => {
    const { project, said, words } = await apply(empty(), { channels: [CHANNEL] });
    expect(said).toEqual([
      ...names('metrics').map((name) => `metric ${name}: created`),
      ...names('policies').map((name) => `alert ${name}: created`),
      'dashboard: created',
    ]);
    expect(project.metrics.find(({ name }) => name === 'ensemble_spend')).toMatchObject(
      file('metrics/ensemble_spend.json'),
    );
    const spend = project.policies.find(({ displayName }) => displayName === file('policies/spend.json').displayName);
    expect(spend).toMatchObject({ ...file('policies/spend.json'), notificationChannels: [CHANNEL] });
    expect(project.dashboards).toMatchObject([file('dashboard.json')]);
    expect(words[0]).toMatch(
      /^logging metrics create ensemble_\w+ --config-from-file \S+ --project my-project --format json$/,
    );
    expect(words.at(-1)).toMatch(
      /^monitoring dashboards create --config-from-file \S+ --project my-project --format json$/,
    );
  });

  it('changes nothing the second time, and then only what differs', async () => {
    const { project } = await apply(empty(), { channels: [CHANNEL] });
    const again = await apply(project);
    expect(again.words).toEqual([]);
    expect(new Set(again.said.map((line) => line.split(': ')[1]))).toEqual(new Set(['as it should be']));
    Object.assign(project.metrics[0] ?? {}, { filter: 'severity=ERROR' });
    Object.assign(project.dashboards[0] ?? {}, { displayName: 'Mine', etag: 'e1' });
    const third = await apply(project);
    expect(third.words.map((words) => words.split(' ').slice(0, 4).join(' '))).toEqual([
      `logging metrics update ${names('metrics')[0]}`,
      'monitoring dashboards update ensemble-api',
    ]);
    expect(third.project.dashboards).toMatchObject([{ displayName: 'Ensemble API', etag: 'e1' }]);
  });

  it('leaves to operators who is told, and which alerts are on', async () => {
    const { project } = await apply(empty());
    const byHand = { enabled: false, notificationChannels: [OTHER_CHANNEL], severity: 'WARNING' };
    Object.assign(project.policies[0] ?? {}, byHand);
    const { project: after, said } = await apply(project, { channels: [CHANNEL] });
    expect(said).toContain('alert ledger: updated');
    expect(after.policies[0]).toMatchObject({
      severity: 'CRITICAL',
      enabled: false,
      notificationChannels: [OTHER_CHANNEL, CHANNEL],
    });
  });

  it('says what it would do, and does nothing, with check', async () => {
    const { project, said, words } = await apply(empty(), { check: true });
    expect(words).toEqual([]);
    expect(project).toEqual(empty());
    expect(said).toContain('alert spend: would be created');
  });

  it('waits for Cloud Monitoring to know a new metric, and gives up in the end', async () => {
    const { said, pauses, error } = await apply(empty(), {}, { lateBy: 2 });
    expect([pauses, error]).toEqual([2, undefined]);
    expect(said).toContain('alert sweep: created');
    const never = await apply(empty(), {}, { lateBy: 1_000 });
    expect(never).toMatchObject({ pauses: PATIENCE, error: expect.stringMatching(/^alert ledger: ERROR: NOT_FOUND/) });
  });

  it('stops at what goes wrong, and names it', async () => {
    const { words, pauses, error } = await apply(empty(), {}, { complaint: 'ERROR: PERMISSION_DENIED' });
    expect(error).toBe('metric ensemble_failed_requests: ERROR: PERMISSION_DENIED');
    expect([words.length, pauses]).toEqual([1, 0]);
  });
});

describe('npm run monitoring', () => {
  const monitoring = (args: readonly string[], env?: Record<string, string>) =>
    run(['scripts/monitoring.mjs', ...args], env);

  it.each([
    [[], '--project must be the id of a project'],
    [['--project', 'My Project'], '--project must be the id of a project'],
    [
      ['--project', 'p1', '--channel', 'me@example.com'],
      '--channel must be projects/PROJECT/notificationChannels/NUMBER',
    ],
    [['--projet', 'p1'], "Unknown option '--projet'"],
  ])('%j: one line that names what is wrong', async (args, words) => {
    const { code, output } = await monitoring(args);
    expect([code, output]).toEqual([1, expect.stringContaining(words)]);
    expect(output).not.toContain('    at ');
  });

  it('says where the CLI is to be had', async () => {
    const { code, output } = await monitoring(['--project', 'my-project'], { PATH: '/nowhere' });
    expect([code, output]).toEqual([1, 'gcloud is not installed: https://cloud.google.com/sdk/docs/install\n']);
  });

  /** A `gcloud` that prints `words` on stderr and ends with 1, or else an empty list. */
  async function withGcloud<T>(words: string, use: (path: string) => Promise<T>): Promise<T> {
    const directory = await temporaryDirectory();
    const folder = join(directory.path, 'bin');
    mkdirSync(folder);
    const answer = words === '' ? `echo "[]"; echo "$*" >> "${directory.path}/words"` : `echo "${words}" >&2; exit 1`;
    writeFileSync(join(folder, 'gcloud'), `#!/bin/sh\n${answer}\n`);
    chmodSync(join(folder, 'gcloud'), 0o755);
    return use(directory.path).finally(directory.remove);
  }

  it('repeats what the CLI complains of, and what to do about one that is too old', async () => {
    const ask = (words: string) =>
      withGcloud(words, (path) => monitoring(['-P', 'my-project'], { PATH: `${path}/bin:${process.env['PATH']}` }));
    expect(await ask('ERROR: sign in')).toEqual({ code: 1, output: 'ERROR: sign in\n' });
    expect((await ask("Invalid choice: 'policies'.")).output).toMatch(/too old: gcloud components update\n$/);
  });

  it('asks the CLI without ever being asked', async () => {
    await withGcloud('', async (path) => {
      const { code, output } = await monitoring(['--project', 'my-project', '--check'], {
        PATH: `${path}/bin:${process.env['PATH']}`,
      });
      expect([code, output]).toEqual([0, expect.stringContaining('dashboard: would be created')]);
      expect(readFileSync(join(path, 'words'), 'utf8').trim().split('\n')).toEqual([
        'logging metrics list --project my-project --format json --quiet',
        'monitoring policies list --project my-project --format json --quiet',
        'monitoring dashboards list --project my-project --format json --quiet',
      ]);
    });
  });
});
