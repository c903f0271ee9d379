import { execFile } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describeWithFirebaseCli } from '../support/firebase-cli';
import { type GoogleProject, newProject, SECRETS, startGoogle } from '../support/google-stand-in';
import { temporaryDirectory } from '../support/temporary-directory';

/** `npm run deploy`, with a stand-in for Google and a Firebase CLI that only says what it was asked for. */

const FUNCTIONS = join(__dirname, '..', '..');
const PROJECT = 'ensemble-deploy-test';
const SETTINGS = join(FUNCTIONS, `.env.${PROJECT}`);
const RECORDER = join(__dirname, '..', 'support', 'record-firebase-deploy.cjs');

/** A call of the CLI, and what it read of Hosting. */
interface Recorded {
  readonly args: string[];
  readonly hosting: { readonly site?: string; readonly headers: { headers: { key: string; value: string }[] }[] };
}

const withSecrets = () => Object.fromEntries(SECRETS.map((name) => [name, ['none']]));
const DEPLOYED = ['deploy', '--project', PROJECT, '--non-interactive'];
const OURS = 'Ensemble API dashboard';
const DEPLOYED_ALL = [
  ...[...DEPLOYED, '--only', 'functions,firestore,hosting'],
  ...['--message', OURS, '--config', `.site.${PROJECT}.firebase.json`],
];
const LATEST = { type: 'TRAFFIC_TARGET_ALLOCATION_TYPE_LATEST', percent: 100 };
const PINNED = { type: 'TRAFFIC_TARGET_ALLOCATION_TYPE_REVISION', percent: 100 };
const SERVICE = `projects/${PROJECT}/locations/us-central1/services/api`;

function revision(name: string, createTime: string, state = 'CONDITION_SUCCEEDED') {
  return { name: `${SERVICE}/revisions/${name}`, createTime, conditions: [{ type: 'Ready', state }] };
}

describeWithFirebaseCli('npm run deploy, over one project,', () => {
  let google: Awaited<ReturnType<typeof startGoogle>>;
  let project: GoogleProject;
  let home: Awaited<ReturnType<typeof temporaryDirectory>>;
  beforeEach(async () => {
    home = await temporaryDirectory();
    project = newProject(PROJECT);
    google = await startGoogle(project);
  });
  afterEach(async () => {
    rmSync(SETTINGS, { force: true });
    await google.stop();
    await home.remove();
  });

  function deploy(args: readonly string[], env: Record<string, string> = {}) {
    const record = { RECORD_FILE: join(home.path, 'cli'), NODE_OPTIONS: `--require ${JSON.stringify(RECORDER)}` };
    const settings = { PATH: process.env['PATH'], HOME: home.path, ...google.env, ...record, ...env };
    return new Promise<{ code: number; output: string }>((resolve) => {
      const words = ['scripts/deploy.mjs', '--project', PROJECT, ...args];
      execFile(process.execPath, words, { cwd: FUNCTIONS, env: settings }, (error, stdout, stderr) =>
        resolve({ code: Number(error?.code ?? 0), output: stdout + stderr }),
      );
    });
  }
  const recorded = (): Recorded[] => {
    const file = join(home.path, 'cli');
    if (!existsSync(file)) return [];
    return readFileSync(file, 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Recorded);
  };
  const cliCalls = (): string[][] => recorded().map(({ args }) => args);

  it.each([
    [
      'an unknown project',
      { exists: false },
      `The project ${PROJECT}: it does not exist, or this account may not see it.`,
    ],
    ['a project without billing', { billingEnabled: false }, 'The Blaze plan, which functions need: https://'],
    [
      'a missing role',
      { refusedPermissions: ['run.services.update'] },
      'The permission run.services.update: ask an owner for roles/run.admin',
    ],
  ])('stops at %s with a line that says what to do, and changes nothing', async (_, flaw, line) => {
    Object.assign(project, flaw);
    const { code, output } = await deploy(['--yes'], { OPENAI_API_KEY: 'sk-1' });
    expect(code).toBe(1);
    expect(output).toContain(`  - ${line}`);
    expect([google.writes(), cliCalls()]).toEqual([[], []]);
    expect(existsSync(SETTINGS)).toBe(false);
  });

  it('--check changes nothing and asks nobody', async () => {
    const { code, output } = await deploy(['--check'], { OPENAI_API_KEY: 'sk-1' });
    expect(code).toBe(1);
    expect(output.match(/- The secret (\w+)/g)).toHaveLength(6);
    expect([google.writes(), cliCalls()]).toEqual([[], []]);
    expect(existsSync(SETTINGS)).toBe(false);
  });

  it('refuses another region than the functions are in', async () => {
    project.secrets = withSecrets();
    await deploy(['--yes'], { REGION: 'europe-west1' });
    const { code, output } = await deploy(['--yes'], { REGION: 'us-east1' });
    expect(code).toBe(1);
    expect(output).toContain('REGION is us-east1, but');
    expect(readFileSync(SETTINGS, 'utf8')).toBe('REGION=europe-west1\n');
  });

  it('stops when the CLI fails, to go on with what is left when it is run again', async () => {
    project.secrets = { KEY_PEPPER: ['kept'], OPENAI_API_KEY: [] };
    const { code, output } = await deploy(['--yes'], { OPENAI_API_KEY: 'sk-secret', RECORD_EXIT: '1' });
    expect(code).toBe(1);
    expect(output).toContain('Stopped: firebase deploy failed');
    expect(output).not.toContain('sk-secret');
    expect(project.secrets).toEqual({ ...withSecrets(), KEY_PEPPER: ['kept'], OPENAI_API_KEY: ['sk-secret'] });
    const before = google.writes().length;
    await deploy(['--yes', '--only', 'functions'], { RECORD_EXIT: '1' });
    expect(google.writes()).toHaveLength(before);
    expect(cliCalls()).toEqual([DEPLOYED_ALL, [...DEPLOYED, '--only', 'functions', '--message', OURS]]);
  });

  it('leaves a website on the site alone, with a line that says what to do', async () => {
    Object.assign(project, { secrets: withSecrets(), sites: { [PROJECT]: 'My shop' } });
    const { output } = await deploy(['--yes'], { RECORD_EXIT: '1' });
    expect(output).toContain(`The dashboard is not deployed: the site ${PROJECT} has a website`);
    expect(output).not.toContain('Dashboard: ');
    expect(cliCalls()).toEqual([[...DEPLOYED, '--only', 'functions,firestore', '--message', OURS]]);
    const alone = await deploy(['--yes', '--only', 'hosting']);
    expect(alone.output).toContain('Stopped: there is nothing left to deploy');
    expect(cliCalls()).toHaveLength(1);
  });

  it('puts the pages where it has put them before, and on the site that HOSTING_SITE names', async () => {
    Object.assign(project, { secrets: withSecrets(), sites: { [PROJECT]: OURS, keys: undefined } });
    expect((await deploy(['--check'])).output).toContain(`The dashboard will be at https://${PROJECT}.web.app/play`);
    project.sites = { [PROJECT]: 'My shop', keys: undefined };
    await deploy(['--yes'], { HOSTING_SITE: 'keys', RECORD_EXIT: '1' });
    expect(cliCalls()).toEqual([DEPLOYED_ALL]);
    expect(recorded()[0]?.hosting.site).toBe('keys');
    expect(existsSync(join(FUNCTIONS, '..', `.site.${PROJECT}.firebase.json`))).toBe(false);
    // The function knows its pages by it.
    expect(readFileSync(SETTINGS, 'utf8')).toBe('REGION=us-central1\nHOSTING_SITE=keys\n');
    const { code, output } = await deploy(['--check'], { HOSTING_SITE: 'other' });
    expect(code).toBe(1);
    expect(output).toContain(`HOSTING_SITE is other, but functions/.env.${PROJECT} or functions/.env says keys`);
    rmSync(SETTINGS);
    const without = await deploy(['--check'], { HOSTING_SITE: 'other' });
    expect(without.output).toContain('The dashboard is not deployed: there is no site other');
  });

  it('--rollback serves the newest revision before that can serve', async () => {
    project.service = {
      name: SERVICE,
      uri: 'https://api',
      latestReadyRevision: `${SERVICE}/revisions/api-4`,
      traffic: [LATEST],
    };
    project.revisions = [
      revision('api-1', '2026-01-01T00:00:00Z'),
      revision('api-4', '2026-01-04T00:00:00Z'),
      revision('api-3', '2026-01-03T00:00:00Z', 'CONDITION_FAILED'),
      revision('api-2', '2026-01-02T00:00:00Z'),
    ];
    expect((await deploy(['--rollback', '--check'])).output).toContain('Requests would go from api-4 back to api-2');
    expect(project.service['traffic']).toEqual([LATEST]);
    await deploy(['--rollback']);
    expect(project.service['traffic']).toEqual([{ ...PINNED, revision: 'api-2' }]);
    await deploy(['--rollback']);
    expect(project.service['traffic']).toEqual([{ ...PINNED, revision: 'api-1' }]);
    const { code, output } = await deploy(['--rollback']);
    expect(code).toBe(1);
    expect(output).toContain('There is no revision of api before api-1 that can serve');
    expect(cliCalls()).toEqual([]);
  });
});
