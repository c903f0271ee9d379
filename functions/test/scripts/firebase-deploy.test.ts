import { execFile } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { startServer } from '../function/servers';
import { describeWhere } from '../support/describe-where';
import { during } from '../support/during';
import { describeWithFirebaseCli, FIREBASE_TOOLS } from '../support/firebase-cli';
import { describeWithFirestore } from '../support/firestore-emulator';
import { ranProgram } from '../support/programs';
import { temporaryDirectory } from '../support/temporary-directory';
import type { GoogleProject } from './google-routes';
import { computeAccount } from './google-routes';
import { newProject, SECRETS, startGoogle } from './google-stand-in';

/** `npm run deploy` with the Firebase CLI itself: what that sends to a stand-in for Google. */

const ROOT = join(__dirname, '..', '..', '..');
const PROJECT = 'ensemble-cli-test';
const SETTINGS = join(ROOT, 'functions', `.env.${PROJECT}`);
const NODE_22 = process.env['NODE_22'] ?? '';
const OWN = ['api', 'reconcile', 'sweep'];
const PEPPER = 'pepper-of-the-test';
const SERVICE = `projects/${PROJECT}/locations/europe-west1/services/api`;
const PINNED = { type: 'TRAFFIC_TARGET_ALLOCATION_TYPE_REVISION', percent: 100, revision: 'api-1' };
const LATEST = { type: 'TRAFFIC_TARGET_ALLOCATION_TYPE_LATEST', percent: 100 };
const CLEANUP = 'firebase-functions-cleanup';
const MONTH = {
  [CLEANUP]: { id: CLEANUP, condition: { tagState: 'ANY', olderThan: '2592000s' }, action: 'DELETE' },
};

/** A function as Google lists it. */
interface Listed {
  readonly name: string;
  readonly labels: Record<string, string>;
  readonly buildConfig: { readonly runtime: string };
}

// A few calls of the CLI, on a machine that does much else.
jest.setTimeout(240_000);

describeWithFirebaseCli('firebase deploy', () => {
  let project: GoogleProject;
  let google: Awaited<ReturnType<typeof startGoogle>>;
  const home = during('each', temporaryDirectory);
  beforeEach(async () => {
    project = newProject(PROJECT);
    google = await startGoogle(project);
  });
  afterEach(async () => {
    rmSync(SETTINGS, { force: true });
    await google.stop();
  });

  /** Settings with which no word goes to Google's own servers, nor to npm's registry for a newer version. */
  const settings = (node: string) => ({
    ...{ CI: 'true', npm_config_offline: 'true', FUNCTIONS_DISCOVERY_TIMEOUT: '60' },
    ...{ PATH: [dirname(node), process.env['PATH']].join(delimiter), HOME: home.path, ...google.env },
  });
  /** Functions with their regions, codebases and runtimes. */
  const functionsThere = () =>
    (project.functions as unknown as Listed[]).map(({ name, labels, buildConfig }) =>
      [...name.split('/').slice(3), labels['firebase-functions-codebase'], buildConfig.runtime].join(' '),
    );

  const missing = NODE_22 ? undefined : 'NODE_22 does not name a program: Node 22.11, whose SQLite is switched off';
  describeWhere('alone, on Node 22', missing, () => {
    it('deploys the functions', async () => {
      for (const name of SECRETS) project.secrets[name] = ['none'];
      const cli = join(FIREBASE_TOOLS, 'lib', 'bin', 'firebase.js');
      const words = ['deploy', '--project', PROJECT, '--non-interactive', '--only', 'functions'];
      const { stdout } = await promisify(execFile)(NODE_22, [cli, ...words], { cwd: ROOT, env: settings(NODE_22) });
      expect(stdout).toContain('Deploy complete!');
      expect(functionsThere().toSorted()).toEqual(
        OWN.map((name) => `us-central1 functions ${name} ensemble-api nodejs24`),
      );
    });
  });

  describeWithFirestore('as npm run deploy does it,', () => {
    const emulator = () => ({ FIRESTORE_EMULATOR_HOST: process.env['FIRESTORE_EMULATOR_HOST'] ?? '' });
    const deploy = (env = {}) =>
      ranProgram(['scripts/deploy.mjs', '--project', PROJECT, '--yes'], {
        ...settings(process.execPath),
        ...emulator(),
        ...env,
      });
    let server: Awaited<ReturnType<typeof startServer>>;
    beforeEach(async () => {
      const env = { ...emulator(), STORE: 'firestore', GCLOUD_PROJECT: PROJECT, KEY_PEPPER: PEPPER };
      server = await startServer({ env, target: 'api' });
      const repository = { name: `projects/${PROJECT}/locations/europe-west1/repositories/gcf-artifacts` };
      const service = { name: SERVICE, uri: server.baseUrl, traffic: [PINNED] };
      Object.assign(project, { repository, service, databaseLocation: 'eur3', secrets: { KEY_PEPPER: [PEPPER] } });
    });
    afterEach(() => server.stop());

    it('goes from nothing to a served request, shows the key once and no secret ever, and then changes nothing', async () => {
      const first = await deploy({ OPENAI_API_KEY: 'sk-secret' });
      expect(first).toEqual({ code: 0, output: expect.stringContaining(`Base URL: ${server.baseUrl}/v1`) });
      expect(first.output).toMatch(/API key: {2}sk-ens_\S+ {3}\(of owner/);
      expect(first.output).toMatch(/Is a tomato a fruit\? \S/);
      expect(first.output).toContain(`Dashboard: https://${PROJECT}.web.app/play`);
      expect(first.output).not.toMatch(/sk-secret|pepper-of/);

      expect(functionsThere().toSorted()).toEqual(
        OWN.map((name) => `europe-west1 functions ${name} ensemble-api nodejs24`),
      );
      expect(project.rules).toBe(readFileSync(join(ROOT, 'firestore.rules'), 'utf8'));
      expect([project.indexes.length, project.fields.filter((one) => one['ttlConfig']).length]).toEqual([7, 11]);
      const scheduler = [`serviceAccount:${computeAccount(project.number)}`];
      expect(project.invokers).toMatchObject({
        api: { bindings: [{ role: 'roles/run.invoker', members: ['allUsers'] }] },
        sweep: { bindings: [{ role: 'roles/run.invoker', members: scheduler }] },
        reconcile: { bindings: [{ role: 'roles/run.invoker', members: scheduler }] },
      });
      expect(project.jobs).toHaveLength(2);
      const granted = google.writes().flatMap((line) => /\/secrets\/(\w+):setIamPolicy/.exec(line)?.[1] ?? []);
      expect(granted.toSorted()).toEqual(SECRETS.toSorted());
      expect(project.repository?.['cleanupPolicies']).toEqual(MONTH);
      expect(project.service?.['traffic']).toEqual([LATEST]);
      const pages = JSON.stringify(google.changes().findLast(({ line }) => line.endsWith('/versions/1'))?.body);
      expect(pages).toContain(
        '{"glob":"/{v1,openai,anthropic,mcp}{,/**}","run":{"serviceId":"api","region":"europe-west1"}}',
      );
      expect(pages).toContain(`https://europe-west1-${PROJECT}.cloudfunctions.net`);
      // The one address in the CLI that cannot be set; it goes on without.
      expect(google.outside()).toEqual(['iam.googleapis.com:443']);

      google.forget();
      const again = await deploy();
      expect(again).toEqual({ code: 0, output: expect.stringContaining('owner has one already') });
      expect(again.output).not.toMatch(/sk-ens_/);
      expect(google.writes().filter((line) => /functions|indexes|fields|secrets|DELETE/.test(line))).toEqual([]);
    });
  });
});
