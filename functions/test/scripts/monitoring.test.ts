import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { during } from '../support/during';
import { describeWithFirebaseCli } from '../support/firebase-cli';
import { ranProgram } from '../support/programs';
import { temporaryDirectory } from '../support/temporary-directory';
import type { GoogleProject } from './google-routes';
import { newProject, startGoogle } from './google-stand-in';

/** The changes of `npm run monitoring` to a project. */

const MONITORING = join(__dirname, '..', '..', '..', 'monitoring');
const PROJECT = 'my-project';
const CHANNEL = `projects/${PROJECT}/notificationChannels/7`;
const DASHBOARDS = `/v1/projects/${PROJECT}/dashboards`;

const names = (folder: string) => readdirSync(join(MONITORING, folder)).map((name) => name.replace('.json', ''));
const fileOf = (path: string) => JSON.parse(readFileSync(join(MONITORING, path), 'utf8'));

describeWithFirebaseCli('npm run monitoring', () => {
  const home = during('each', temporaryDirectory);
  let project: GoogleProject;
  let google: Awaited<ReturnType<typeof startGoogle>>;
  beforeEach(async () => {
    project = newProject(PROJECT);
    google = await startGoogle(project);
  });
  afterEach(async () => {
    await google.stop();
  });

  const monitoring = (...args: string[]) => {
    const nobody = { PATH: process.env['PATH'], HOME: home.path, METADATA_SERVER_DETECTION: 'none' };
    return ranProgram(['scripts/monitoring.mjs', ...args], { ...nobody, ...google.env });
  };

  it('makes every metric, then every alert, then the dashboard', async () => {
    const lines = [
      ...names('metrics').map((name) => `metric ${name}`),
      ...names('policies').map((name) => `alert ${name}`),
      'dashboard',
    ];
    expect(await monitoring('-P', PROJECT, '--channel', CHANNEL)).toEqual({
      code: 0,
      output: lines.map((line) => `${line}: as it should be\n`).join(''),
    });
    expect(google.writes()).toEqual([
      ...names('metrics').map((name) => `PUT /v2/projects/${PROJECT}/metrics/${name}`),
      ...names('policies').map(() => `POST /v3/projects/${PROJECT}/alertPolicies`),
      `POST ${DASHBOARDS}`,
    ]);
    expect(project.metrics.find(({ name }) => name === 'ensemble_spend')).toMatchObject(
      fileOf('metrics/ensemble_spend.json'),
    );
    const [ledger] = project.policies;
    expect(ledger).toMatchObject({ ...fileOf('policies/ledger.json'), notificationChannels: [CHANNEL], enabled: true });
    expect(project.dashboards).toMatchObject([
      { ...fileOf('dashboard.json'), name: `${DASHBOARDS.slice(4)}/ensemble-api` },
    ]);
  });

  it('updates what is there, and leaves to operators who is notified and which alerts are on', async () => {
    await monitoring('-P', PROJECT);
    const own = { enabled: false, notificationChannels: [`${CHANNEL}0`] };
    Object.assign(project.policies[0] ?? {}, { ...own, severity: 'WARNING' });
    google.forget();
    expect((await monitoring('-P', PROJECT, '--channel', CHANNEL)).code).toBe(0);
    expect(project.policies).toHaveLength(names('policies').length);
    expect(project.policies[0]).toMatchObject({
      ...{ enabled: false, severity: 'CRITICAL', notificationChannels: [`${CHANNEL}0`, CHANNEL] },
    });
    expect(google.changes().at(-1)).toMatchObject({
      line: `PATCH ${DASHBOARDS}/ensemble-api`,
      body: { etag: 'first' },
    });
  });

  it.each([
    [[], 1],
    [['--projet', PROJECT], 2],
  ])('%j: says how it is used, and changes nothing', async (args, code) => {
    expect(await monitoring(...args)).toEqual({
      code,
      output: expect.stringContaining('npm run monitoring -- --proj'),
    });
    expect(google.writes()).toEqual([]);
  });
});
