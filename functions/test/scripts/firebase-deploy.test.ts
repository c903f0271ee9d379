import { execFile } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { startServer } from '../function/servers';
import { describeWhere } from '../support/describe-where';
import { describeWithFirebaseCli, FIREBASE_TOOLS } from '../support/firebase-cli';
import { describeWithFirestore } from '../support/firestore-emulator';
import { computeAccount } from '../support/google-deployments';
import { type GoogleProject, newProject, SECRETS, startGoogle } from '../support/google-stand-in';
import { temporaryDirectory } from '../support/temporary-directory';

/** `firebase deploy` itself: what the real CLI sends to a stand-in for Google. */

const FUNCTIONS = join(__dirname, '..', '..');
const ROOT = join(FUNCTIONS, '..');
const PROJECT = 'ensemble-cli-test';
const SETTINGS = join(FUNCTIONS, `.env.${PROJECT}`);
const RULES = readFileSync(join(ROOT, 'firestore.rules'), 'utf8');
const NODE_22 = process.env['NODE_22'] ?? '';
const OWN = ['api', 'reconcile', 'sweep'];
/** Of a few calls of the CLI, on a machine that does much else. */
const TIMEOUT_MS = 240_000;

/** A function as Google lists it. */
interface Listed {
  readonly name: string;
  readonly labels: Record<string, string>;
  readonly buildConfig: { readonly runtime: string };
  readonly serviceConfig: { readonly minInstanceCount?: number };
}

describeWithFirebaseCli('firebase deploy', () => {
  let project: GoogleProject;
  let google: Awaited<ReturnType<typeof startGoogle>>;
  let home: Awaited<ReturnType<typeof temporaryDirectory>>;
  beforeEach(async () => {
    home = await temporaryDirectory();
    project = newProject(PROJECT);
    for (const name of SECRETS) project.secrets[name] = ['none'];
    google = await startGoogle(project);
  });
  afterEach(async () => {
    rmSync(SETTINGS, { force: true });
    await google.stop();
    await home.remove();
  });

  function run(
    args: readonly string[],
    cwd: string,
    { node = process.execPath, ...more }: Record<string, string> = {},
  ) {
    // No word to Google's own servers, nor to npm's registry for a newer version.
    const quiet = { CI: 'true', npm_config_offline: 'true', FUNCTIONS_DISCOVERY_TIMEOUT: '60' };
    const PATH = [dirname(node), process.env['PATH']].join(delimiter);
    const env = { PATH, HOME: home.path, ...google.env, ...quiet, ...more };
    return new Promise<{ code: number; output: string }>((resolve) => {
      execFile(node, args, { cwd, env, timeout: TIMEOUT_MS / 2 }, (error, stdout, stderr) =>
        resolve({ code: Number(error?.code ?? 0), output: stdout + stderr }),
      );
    });
  }
  const COMMAND = [
    join(FIREBASE_TOOLS, 'lib', 'bin', 'firebase.js'),
    'deploy',
    '--project',
    PROJECT,
    '--non-interactive',
  ];
  const firebaseDeploy = (...args: string[]) => run([...COMMAND, ...args], ROOT);
  const npmRunDeploy = (env: Record<string, string>, ...args: string[]) =>
    run(['scripts/deploy.mjs', '--project', PROJECT, '--yes', ...args], FUNCTIONS, env);

  /** What was changed, without the project. */
  const changed = () => google.writes().map((line) => line.replace(/\/v\w+\/projects\/[\w-]+/, ''));
  const functionsThere = () =>
    (project.functions as unknown as Listed[]).toSorted((a, b) => (a.name < b.name ? -1 : 1));
  /** Where a function is, and its name. */
  const placeOf = ({ name }: Listed) => name.split('/').slice(3).join('/').replace('/functions', '');
  const codebasesThere = () =>
    functionsThere().map((one) => `${placeOf(one)} ${one.labels['firebase-functions-codebase'] ?? 'default'}`);

  /** What every deployment does, for triggers and pages. */
  const ALWAYS_BEFORE = [
    'POST :test',
    'POST /services/pubsub.googleapis.com:generateServiceIdentity',
    'POST /services/eventarc.googleapis.com:generateServiceIdentity',
    `POST /sites/${PROJECT}/versions`,
  ];
  const PAGES = [`PATCH /sites/${PROJECT}/versions/1`, `POST /sites/${PROJECT}/channels/live/releases`];

  it(
    'makes what is missing the first time, and nothing the second time',
    async () => {
      expect(await firebaseDeploy()).toMatchObject({ code: 0 });
      expect(codebasesThere()).toEqual(OWN.map((name) => `us-central1/${name} ensemble-api`));
      expect(functionsThere().map(({ buildConfig }) => buildConfig.runtime)).toEqual([
        'nodejs24',
        'nodejs24',
        'nodejs24',
      ]);
      expect(project.databaseLocation).toBe('us-central1');
      expect(project.rules).toBe(RULES);
      expect([project.indexes.length, project.fields.filter(({ ['ttlConfig']: ttl }) => ttl).length]).toEqual([6, 9]);
      const scheduler = [`serviceAccount:${computeAccount(project.number)}`];
      expect(project.invokers).toMatchObject({
        api: { bindings: [{ role: 'roles/run.invoker', members: ['allUsers'] }] },
        sweep: { bindings: [{ role: 'roles/run.invoker', members: scheduler }] },
        reconcile: { bindings: [{ role: 'roles/run.invoker', members: scheduler }] },
      });
      expect(project.jobs).toHaveLength(2);
      const granted = changed().flatMap((line) => /POST \/secrets\/(\w+):setIamPolicy/.exec(line)?.[1] ?? []);
      expect(granted.toSorted()).toEqual(SECRETS.toSorted());
      // The one address in the CLI that cannot be set; it goes on without.
      expect(google.outside()).toEqual(['iam.googleapis.com:443']);

      google.forget();
      expect(await firebaseDeploy()).toMatchObject({ code: 0 });
      expect(changed()).toEqual([
        ...ALWAYS_BEFORE,
        `POST /sites/${PROJECT}/versions/1:populateFiles`,
        'PATCH /releases/cloud.firestore',
        ...PAGES,
      ]);
    },
    TIMEOUT_MS,
  );

  it(
    'stops at a missing secret before anything serves',
    async () => {
      project.databaseLocation = 'nam5';
      project.secrets['GEMINI_API_KEY'] = [];
      const { code, output } = await firebaseDeploy();
      expect([code, output]).toEqual([1, expect.stringContaining('GEMINI_API_KEY')]);
      expect(changed().filter((line) => !ALWAYS_BEFORE.includes(line))).toEqual([]);
    },
    TIMEOUT_MS,
  );

  const missing = NODE_22 ? undefined : 'NODE_22 does not name a program: Node 22.11, whose SQLite is switched off';
  describeWhere('on Node 22', missing, () => {
    it(
      'deploys the same',
      async () => {
        expect(await run([...COMMAND, '--only', 'functions'], ROOT, { node: NODE_22 })).toMatchObject({
          code: 0,
          output: expect.stringContaining('Deploy complete!'),
        });
        expect(codebasesThere()).toEqual(OWN.map((name) => `us-central1/${name} ensemble-api`));
      },
      TIMEOUT_MS,
    );
  });

  describeWithFirestore('as npm run deploy does it,', () => {
    const emulator = () => ({ FIRESTORE_EMULATOR_HOST: process.env['FIRESTORE_EMULATOR_HOST'] ?? '' });
    const pepper = 'pepper-of-the-test';
    const LATEST = { type: 'TRAFFIC_TARGET_ALLOCATION_TYPE_LATEST', percent: 100 };
    const PINNED = { type: 'TRAFFIC_TARGET_ALLOCATION_TYPE_REVISION', percent: 100, revision: 'api-1' };
    const MONTH = {
      'firebase-functions-cleanup': {
        id: 'firebase-functions-cleanup',
        condition: { tagState: 'ANY', olderThan: '2592000s' },
        action: 'DELETE',
      },
    };
    let server: Awaited<ReturnType<typeof startServer>>;
    beforeEach(async () => {
      const env = { ...emulator(), STORE: 'firestore', GCLOUD_PROJECT: PROJECT, KEY_PEPPER: pepper };
      server = await startServer({ env, target: 'api' });
      project.repository = { name: `projects/${PROJECT}/locations/europe-west1/repositories/gcf-artifacts` };
      project.service = {
        name: `projects/${PROJECT}/locations/europe-west1/services/api`,
        uri: server.baseUrl,
        traffic: [PINNED],
      };
      project.databaseLocation = 'eur3';
      project.secrets['KEY_PEPPER'] = [pepper];
    });
    afterEach(() => server.stop());

    it(
      'goes from nothing to a served request beside the database, shows the key once and no secret ever',
      async () => {
        project.secrets = { KEY_PEPPER: [pepper] };
        const first = await npmRunDeploy({ ...emulator(), OPENAI_API_KEY: 'sk-secret' });
        expect(first).toEqual({ code: 0, output: expect.stringContaining(`Base URL: ${server.baseUrl}/v1`) });
        expect(first.output).toMatch(/API key: {2}sk-ens_\S+ {3}\(of owner/);
        expect(first.output).toMatch(/Is a tomato a fruit\? \S/);
        expect(first.output).toContain('At rest it costs less than $1 a month');
        expect(first.output).toContain(`Dashboard: https://${PROJECT}.web.app/play`);
        expect(first.output).not.toMatch(/sk-secret|pepper-of/);
        expect(codebasesThere()).toEqual(OWN.map((name) => `europe-west1/${name} ensemble-api`));
        expect(project.repository?.['cleanupPolicies']).toEqual(MONTH);
        expect(project.service?.['traffic']).toEqual([LATEST]);
        const pages = JSON.stringify(google.changes().findLast(({ line }) => line.endsWith('/versions/1'))?.body);
        expect(pages).toContain('{"glob":"/v1{,/**}","run":{"serviceId":"api","region":"europe-west1"}}');
        expect(pages).toContain(`https://europe-west1-${PROJECT}.cloudfunctions.net`);

        google.forget();
        const again = await npmRunDeploy(emulator());
        expect(again).toEqual({ code: 0, output: expect.stringContaining('owner has one already') });
        expect(again.output).not.toMatch(/sk-ens_/);
        expect(changed().filter((line) => /functions|indexes|fields|secrets|DELETE/.test(line))).toEqual([]);
      },
      TIMEOUT_MS,
    );
  });
});
