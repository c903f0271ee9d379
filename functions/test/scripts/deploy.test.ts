import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { during } from '../support/during';
import { describeWithFirebaseCli } from '../support/firebase-cli';
import { ranProgram } from '../support/programs';
import { temporaryDirectory } from '../support/temporary-directory';
import type { GoogleProject } from './google-routes';
import { newProject, SECRETS, startGoogle } from './google-stand-in';

/** `npm run deploy`, with a stand-in for Google and a Firebase CLI that only says what it was asked for. */

const FUNCTIONS = join(__dirname, '..', '..');
const PROJECT = 'ensemble-deploy-test';
const SETTINGS = join(FUNCTIONS, `.env.${PROJECT}`);

/** A call of the CLI, and what it read of Hosting. */
interface Recorded {
  readonly args: string[];
  readonly hosting: { readonly site?: string };
}

const withSecrets = () => Object.fromEntries(SECRETS.map((name) => [name, ['none']]));
const DEPLOYED = ['deploy', '--project', PROJECT, '--non-interactive', '--only'];
const OURS = 'Ensemble API dashboard';
const WITH_PAGES = ['--message', OURS, '--config', `.site.${PROJECT}.firebase.json`];
const DATABASE = [...DEPLOYED, 'firestore', ...WITH_PAGES];
/** Steps that are ours alone: the CLI asks nothing, and deletes nothing of others. */
const FUNCTIONS_ALONE = [...DEPLOYED, 'functions', '--force'];
const LATEST = { type: 'TRAFFIC_TARGET_ALLOCATION_TYPE_LATEST', percent: 100 };
const PINNED = { type: 'TRAFFIC_TARGET_ALLOCATION_TYPE_REVISION', percent: 100 };
const SERVICE = `projects/${PROJECT}/locations/us-central1/services/api`;
const OWN_RULES = readFileSync(join(FUNCTIONS, '..', 'firestore.rules'), 'utf8');
const ORDERS = 'match /orders/{id} { allow read: if true; }';

function revision(name: string, createTime: string, state = 'CONDITION_SUCCEEDED') {
  return { name: `${SERVICE}/revisions/${name}`, createTime, conditions: [{ type: 'Ready', state }] };
}

function rulesWith(body: string): string {
  return `rules_version = '2';\nservice cloud.firestore {\n  match /databases/{database}/documents {\n${body}\n  }\n}\n`;
}

function functionNamed(id: string, codebase: string) {
  const labels = { 'deployment-tool': 'cli-firebase', 'firebase-functions-codebase': codebase };
  return { name: `projects/${PROJECT}/locations/us-central1/functions/${id}`, labels };
}

describeWithFirebaseCli('npm run deploy, over one project,', () => {
  let google: Awaited<ReturnType<typeof startGoogle>>;
  let project: GoogleProject;
  const home = during('each', temporaryDirectory);
  beforeEach(async () => {
    project = newProject(PROJECT);
    google = await startGoogle(project);
  });
  afterEach(async () => {
    rmSync(SETTINGS, { force: true });
    await google.stop();
  });

  /** Runs a script as somebody who has never signed in anywhere. */
  const run = (args: readonly string[], env: Record<string, string> = {}) => {
    const recorder = join(__dirname, 'record-firebase-deploy.cjs');
    const record = { RECORD_FILE: join(home.path, 'cli'), NODE_OPTIONS: `--require ${JSON.stringify(recorder)}` };
    const nobody = { PATH: process.env['PATH'], HOME: home.path, METADATA_SERVER_DETECTION: 'none' };
    return ranProgram(args, { ...nobody, ...google.env, ...record, ...env });
  };
  const deploy = (args: readonly string[], env?: Record<string, string>) =>
    run(['scripts/deploy.mjs', '--project', PROJECT, ...args], env);
  const recorded = (): Recorded[] => {
    const file = join(home.path, 'cli');
    const lines = existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : [];
    return lines.map((line) => JSON.parse(line) as Recorded);
  };
  const cliCalls = () => recorded().map(({ args }) => args);

  it.each([
    ['a misspelt --check, which must not deploy', ['--chekc'], 2, "Unknown option '--chekc'\nusage: "],
    ['--force, which deletes what is of others', ['--force'], 2, "Unknown option '--force'\nusage: "],
    ['a word too many', ['my-project'], 2, "Unexpected argument 'my-project'"],
    ['--help', ['--help'], 0, 'usage: npm run deploy -- --project PROJECT'],
    ['a project of the emulators', ['-P', 'demo-ensemble'], 1, '- A Firebase project: "demo-ensemble" exists in the'],
  ])('the command line: %s', async (_, args, code, says) => {
    const ended = await deploy(args);
    expect(ended).toEqual({ code, output: expect.stringContaining(says) });
    expect(ended.output).not.toContain('    at ');
  });

  it('wants somebody to be signed in', async () => {
    const { code, output } = await deploy(['--check'], { FIREBASE_TOKEN: '' });
    expect(code).toBe(1);
    expect(output).toContain(`- Access to project ${PROJECT}: Failed to authenticate`);
    expect(output).toContain('npm run firebase -- login');
  });

  it.each<[string, Partial<GoogleProject>, string]>([
    ['an unknown project', { exists: false }, `The project ${PROJECT}: it does not exist, or this account may not see`],
    ['a project without billing', { billingEnabled: false }, 'The Blaze plan, which functions need: https://'],
    [
      'another app’s function',
      { functions: [functionNamed('sweep', 'shop')] },
      'The function sweep in us-central1: it',
    ],
    ['another app’s documents', { databaseLocation: 'nam5', documents: ['runs'] }, 'The Firestore database of'],
    ['another app’s rules', { rules: rulesWith(ORDERS) }, `The Firestore rules of ${PROJECT}: they are of another app`],
  ])('stops at %s with a line that says what to do, and changes nothing', async (_, flaw, line) => {
    Object.assign(project, { secrets: withSecrets() }, flaw);
    const { code, output } = await deploy(['--yes'], { OPENAI_API_KEY: 'sk-1' });
    expect(output).toContain(`  - ${line}`);
    expect([code, google.writes(), cliCalls(), existsSync(SETTINGS)]).toEqual([1, [], [], false]);
  });

  it('tells the rules of another app from ours and from those of a new database', async () => {
    const foreign = {
      'another app’s': rulesWith(ORDERS),
      'ours that another app has merged into its own': OWN_RULES.replace('match /users', `${ORDERS} match /users`),
      'another app’s for the same documents': rulesWith('match /users/{userId} { allow read: if true; }'),
    };
    const free = {
      'our own': OWN_RULES,
      'our own, with the line ends of Windows': OWN_RULES.replaceAll('\n', '\r\n'),
      'our own, of an earlier version': OWN_RULES.replace(/match \/byok[^}]*}[^}]*}/, ''),
      'those of a new database': rulesWith('match /{document=**} {\n allow read, write: if false;\n }'),
      'those of a new database for a month': rulesWith(
        '// Until then.\nmatch /{document=**} {\n allow read, write: if request.time < timestamp.date(2026, 12, 24);\n }',
      ),
      none: '',
    };
    const program = `import { areReplaceable } from './scripts/deploy-problems.mjs';
      const kept = Object.entries(${JSON.stringify({ ...foreign, ...free })}).filter(([, rules]) => !areReplaceable(rules));
      console.log(JSON.stringify(kept.map(([name]) => name)));`;
    expect(JSON.parse((await run(['--input-type=module', '-e', program])).output)).toEqual(Object.keys(foreign));
  });

  it('--check changes nothing and asks nobody', async () => {
    const { code, output } = await deploy(['--check'], { OPENAI_API_KEY: 'sk-1' });
    expect(output.match(/- The secret (\w+)/g)).toHaveLength(6);
    project.secrets = withSecrets();
    expect((await deploy(['--check'])).output).toContain(`Nothing is missing to deploy to ${PROJECT}.`);
    expect([code, google.writes(), cliCalls(), existsSync(SETTINGS)]).toEqual([1, [], [], false]);
  });

  it('stops when the CLI fails, to go on with what is left when it is run again, in the same region', async () => {
    project.secrets = { KEY_PEPPER: ['kept'], OPENAI_API_KEY: [] };
    const env = { OPENAI_API_KEY: 'sk-secret', RECORD_EXIT: '1', REGION: 'europe-west1' };
    const { code, output } = await deploy(['--yes'], env);
    expect(code).toBe(1);
    expect(output).toContain('Stopped: firebase deploy failed');
    expect(output).not.toContain('sk-secret');
    expect(project.secrets).toEqual({ ...withSecrets(), KEY_PEPPER: ['kept'], OPENAI_API_KEY: ['sk-secret'] });
    const before = google.writes().length;
    await deploy(['--yes', '--only', 'functions'], { RECORD_EXIT: '1' });
    expect(google.writes()).toHaveLength(before);
    expect((await deploy(['--yes'], { REGION: 'us-east1' })).output).toContain('REGION is us-east1, but');
    expect(readFileSync(SETTINGS, 'utf8')).toBe('REGION=europe-west1\n');
    expect(cliCalls()).toEqual([DATABASE, [...FUNCTIONS_ALONE, ...WITH_PAGES]]);
  });

  it('leaves a website on the site alone, and puts the pages where HOSTING_SITE or an earlier release says', async () => {
    Object.assign(project, { secrets: withSecrets(), sites: { [PROJECT]: 'My shop', keys: undefined } });
    const { output } = await deploy(['--yes'], { RECORD_EXIT: '1' });
    expect(output).toContain(`The dashboard is not deployed: the site ${PROJECT} has a website`);
    const alone = await deploy(['--yes', '--only', 'hosting']);
    expect(alone.output).toContain('Stopped: there is nothing left to deploy');
    await deploy(['--yes'], { HOSTING_SITE: 'keys', RECORD_EXIT: '1' });
    expect(cliCalls()).toEqual([[...DEPLOYED, 'firestore', '--message', OURS], DATABASE]);
    expect(recorded()[1]?.hosting.site).toBe('keys');
    expect(existsSync(join(FUNCTIONS, '..', `.site.${PROJECT}.firebase.json`))).toBe(false);
    // The function knows its pages by it.
    expect(readFileSync(SETTINGS, 'utf8')).toBe('REGION=us-central1\nHOSTING_SITE=keys\n');
    rmSync(SETTINGS);
    project.sites = { [PROJECT]: OURS };
    expect((await deploy(['--check'])).output).toContain(`The dashboard will be at https://${PROJECT}.web.app/play`);
    const other = await deploy(['--check'], { HOSTING_SITE: 'other' });
    expect(other.output).toContain('The dashboard is not deployed: there is no site other');
  });

  it('--rollback serves the newest revision before that can serve', async () => {
    project.service = { name: SERVICE, latestReadyRevision: `${SERVICE}/revisions/api-4`, traffic: [LATEST] };
    project.revisions = [
      revision('api-1', '2026-01-01T00:00:00Z'),
      revision('api-4', '2026-01-04T00:00:00Z'),
      revision('api-3', '2026-01-03T00:00:00Z', 'CONDITION_FAILED'),
      revision('api-2', '2026-01-02T00:00:00Z'),
    ];
    expect((await deploy(['--rollback', '--check'])).output).toContain('Requests would go from api-4 back to api-2');
    expect(project.service['traffic']).toEqual([LATEST]);
    for (const name of ['api-2', 'api-1']) {
      await deploy(['--rollback']);
      expect(project.service['traffic']).toEqual([{ ...PINNED, revision: name }]);
    }
    const { code, output } = await deploy(['--rollback']);
    expect(code).toBe(1);
    expect(output).toContain('There is no revision of api before api-1 that can serve');
  });
});
