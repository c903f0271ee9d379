import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describeWithFirebaseCli } from '../support/firebase-cli';
import { computeAccount, ofGroup } from '../support/google-deployments';
import { type GoogleProject, newProject, SECRETS, startGoogle } from '../support/google-stand-in';

/** What `npm run deploy` says before it deploys anything. */

const FUNCTIONS = join(__dirname, '..', '..');

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'ensemble-deploy-'));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

interface Ended {
  readonly code: number;
  readonly output: string;
}

/** Runs node in `functions/` as somebody who has never signed in anywhere. */
function runNode(args: readonly string[], env: Record<string, string> = {}): Promise<Ended> {
  const settings = { PATH: process.env['PATH'], HOME: home, METADATA_SERVER_DETECTION: 'none', ...env };
  return new Promise((resolve) => {
    execFile(process.execPath, args, { cwd: FUNCTIONS, env: settings }, (error, stdout, stderr) =>
      resolve({ code: Number(error?.code ?? 0), output: stdout + stderr }),
    );
  });
}

describe('the command line', () => {
  const SAYS: readonly [words: string, args: readonly string[], code: number, says: string][] = [
    [
      'a misspelt --check, which must not deploy',
      ['--project', 'p', '--chekc'],
      2,
      "Unknown option '--chekc'\nusage: ",
    ],
    ['no project behind --project', ['--project'], 2, 'argument missing\nusage: '],
    ['--force, which deletes what is of others', ['--project', 'p', '--force'], 2, '--force is not handed on'],
    ['a word too many', ['my-project'], 2, "Unexpected argument 'my-project'\nusage: "],
    ['--help', ['--help'], 0, 'usage: npm run deploy -- --project PROJECT'],
  ];

  it.each(SAYS)('%s', async (_, args, code, says) => {
    const ended = await runNode(['scripts/deploy.mjs', ...args]);
    expect(ended).toEqual({ code, output: expect.stringContaining(says) });
    expect(ended.output).not.toContain('    at ');
  });
});

describe('the dotenv files', () => {
  const problems = async (files: Record<string, string>) => {
    for (const [name, text] of Object.entries(files)) writeFileSync(join(home, name), text);
    const program = `import { dotenvProblems } from './scripts/deploy-check.mjs';
      console.log(JSON.stringify(dotenvProblems(${JSON.stringify(home)}, 'my-project', ['OPENAI_API_KEY', 'KEY_PEPPER'])));`;
    const { output } = await runNode(['--input-type=module', '-e', program]);
    return (JSON.parse(output) as string[]).map((problem) => problem.split(':')[0]);
  };

  it('must not hold what is deployed as a secret', async () => {
    expect(await problems({ '.env': '\ufeffOPENAI_API_KEY=sk-1', '.env.my-project': 'KEY_PEPPER=x' })).toEqual([
      'functions/.env sets OPENAI_API_KEY, which is deployed as a secret',
      'functions/.env.my-project sets KEY_PEPPER, which is deployed as a secret',
    ]);
  });

  it('must not hold what Firebase sets, nor send the function to another store', async () => {
    expect(await problems({ '.env': 'GCLOUD_PROJECT=x\nPORT=8080\nSTORE=embedded' })).toEqual([
      'functions/.env sets GCLOUD_PROJECT, which Firebase sets itself',
      'functions/.env sets PORT, which Firebase sets itself',
      'functions/.env sets STORE=embedded; deployed, only Firestore keeps anything',
    ]);
  });
});

describeWithFirebaseCli('npm run deploy --check', () => {
  const PROJECT = 'my-project';
  let project: GoogleProject;
  let google: Awaited<ReturnType<typeof startGoogle>>;
  beforeEach(async () => {
    project = newProject(PROJECT);
    for (const name of SECRETS) project.secrets[name] = ['none'];
    google = await startGoogle(project);
  });
  afterEach(() => google.stop());

  const check = (...args: string[]) => runNode(['scripts/deploy.mjs', '--check', ...args], google.env);
  /** What is missing; of a line its beginning. */
  const problems = async (...args: string[]) => {
    const { code, output } = await check('--project', PROJECT, ...args);
    const lines = output.match(/(?<=^ {2}- ).*/gm) ?? [];
    expect([code, google.writes()]).toEqual([lines.length > 0 ? 1 : 0, []]);
    return lines.map((line) => line.split(/[:,] /).slice(0, 2).join(': '));
  };

  it('wants a project that is not one of the emulators', async () => {
    const { code, output } = await check();
    expect(code).toBe(1);
    expect(output).toContain('- A Firebase project: "demo-ensemble" exists in the emulators only.');
  });

  it('wants somebody to be signed in', async () => {
    const { FIREBASE_TOKEN: _, ...env } = google.env;
    const { code, output } = await runNode(['scripts/deploy.mjs', '--check', '--project', PROJECT], env);
    expect(code).toBe(1);
    expect(output).toContain('- Access to project my-project: Failed to authenticate');
    expect(output).toContain('npm run firebase -- login');
  });

  it('says so when nothing is missing', async () => {
    const { code, output } = await check('-P', PROJECT);
    expect(output).toContain('Nothing is missing to deploy to my-project.');
    expect(code).toBe(0);
  });

  describe('beside another app', () => {
    const functionOf = (id: string, codebase?: string, secrets: string[] = []) => ({
      name: `projects/${PROJECT}/locations/us-central1/functions/${id}`,
      labels: { 'deployment-tool': 'cli-firebase', ...(codebase && { 'firebase-functions-codebase': codebase }) },
      serviceConfig: { secretEnvironmentVariables: secrets.map((key) => ({ key })) },
    });
    const around = (body: string) =>
      `rules_version = '2';\nservice cloud.firestore {\n  match /databases/{database}/documents {\n${body}\n  }\n}\n`;
    const OWN_RULES = readFileSync(join(FUNCTIONS, '..', 'firestore.rules'), 'utf8');
    const ORDERS = 'match /orders/{id} { allow read: if true; }';

    it('tells the rules of another app from ours and from nobody’s', async () => {
      const foreign = {
        'another app’s': around(ORDERS),
        'ours that another app has merged into its own': OWN_RULES.replace('match /users', `${ORDERS} match /users`),
        'another app’s for the same documents': around('match /users/{userId} { allow read: if true; }'),
      };
      const free = {
        'our own': OWN_RULES,
        'our own, with the line ends of Windows': OWN_RULES.replaceAll('\n', '\r\n'),
        'our own, of an earlier version': OWN_RULES.replace(/match \/byok[^}]*}[^}]*}/, ''),
        'those of a new database': around('match /{document=**} {\n allow read, write: if false;\n }'),
        'those of a new database for a month': around(
          '// Until then.\nmatch /{document=**} {\n allow read, write: if request.time < timestamp.date(2026, 12, 24);\n }',
        ),
        none: '',
      };
      const program = `import { lossOfRules } from './scripts/deploy-neighbours.mjs';
        const taken = Object.entries(${JSON.stringify({ ...foreign, ...free })}).filter(([, rules]) => lossOfRules(rules));
        console.log(JSON.stringify(taken.map(([name]) => name)));`;
      const { output } = await runNode(['--input-type=module', '-e', program]);
      expect(JSON.parse(output)).toEqual(Object.keys(foreign));
    });

    it('finds functions that would be overwritten', async () => {
      project.functions = [functionOf('shop'), functionOf('api'), functionOf('sweep', 'shop')];
      expect(await problems()).toEqual([
        'The function api in us-central1: it is of another app',
        'The function sweep in us-central1: it is of another app',
      ]);
      expect(await problems('--only', 'hosting')).toEqual([]);
    });

    it('finds indexes of others, and documents of others that would lose theirs', async () => {
      const FIRESTORE = 'The Firestore database of my-project: ';
      project.databaseLocation = 'us-central1';
      project.indexes = [ofGroup(PROJECT, 'orders', 'indexes/1')];
      project.fields = [ofGroup(PROJECT, 'posts', 'fields/at')];
      project.documents = ['runs'];
      expect(await problems()).toEqual([
        `${FIRESTORE}it has indexes of another app`,
        `${FIRESTORE}there are documents in runs`,
      ]);
      expect(await problems('--only', 'functions,firestore:rules')).toEqual([]);
    });
  });

  describe('in an organisation', () => {
    it('finds what is forbidden before anything was deployed', async () => {
      const account = computeAccount(project.number);
      const roles = { 'roles/owner': ['user:a@b.example'] };
      Object.assign(project, { isDomainRestricted: true, buildAccount: account, roles });
      expect(await problems()).toEqual([
        'Public access: constraints/iam.allowedPolicyMemberDomains forbids allUsers in my-project',
        `The account ${account}: which builds the functions`,
        `The account ${account}: which runs the functions`,
      ]);
    });
  });
});
