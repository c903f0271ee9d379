import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describeWithFirebaseCli } from '../support/firebase-cli';

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

  it('may be missing, or hold settings', async () => {
    expect(await problems({})).toEqual([]);
    expect(await problems({ '.env': 'DEFAULT_MODEL=gpt-5.4-mini\nSTORE=firestore\nMAX_INSTANCES=3' })).toEqual([]);
  });

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

  it.each(['api.acme.example/v1', 'http://api.acme.example/v1', 'https://api.acme.example', 'https://a b/v1'])(
    'must not send programs and pages to %s',
    async (url) => {
      expect(await problems({ '.env': `PUBLIC_BASE_URL="${url}"` })).toEqual([
        expect.stringContaining('functions/.env sets PUBLIC_BASE_URL=') as string,
      ]);
      expect(await problems({ '.env': 'PUBLIC_BASE_URL=https://api.acme.example:8443/llm/v1' })).toEqual([]);
    },
  );

  it('may hold anything where they are not deployed', async () => {
    expect(await problems({ '.env.local': 'OPENAI_API_KEY=sk-1', '.env.other': 'PORT=1' })).toEqual([]);
  });
});

describeWithFirebaseCli('npm run deploy', () => {
  let server: Server;
  /** Secret Manager's answers: the states of a secret's versions. */
  let versions: Record<string, string[]>;
  let asked: string[];
  let google: Record<string, string>;
  beforeEach(async () => {
    versions = {};
    asked = [];
    server = createServer(async (request, response) => {
      asked.push(`${request.method} ${request.url}`);
      const sent = await text(request);
      const [status, body] = answer(request.url ?? '', sent);
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    }).listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const names = [
      'CLOUD_SECRET_MANAGER_URL',
      'FIREBASE_SERVICE_USAGE_URL',
      'FIREBASE_RESOURCEMANAGER_URL',
      'FIREBASE_CLOUDBILLING_URL',
      'FIREBASE_HOSTING_API_URL',
      'FIRESTORE_URL',
    ];
    google = Object.fromEntries([...names, 'FIREBASE_TOKEN_URL'].map((name) => [name, origin]));
  });
  afterEach(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });

  function answer(url: string, sent: string): [number, unknown] {
    if (url.endsWith(':testIamPermissions')) return [200, JSON.parse(sent)];
    if (url.endsWith('/billingInfo')) return [200, { billingEnabled: true }];
    if (url.endsWith('/databases/(default)')) return [404, { error: { code: 404, message: 'no database' } }];
    const secret = /\/secrets\/(\w+)\/versions$/.exec(url)?.[1];
    if (!secret) return [200, { access_token: 'token', expires_in: 3600, state: 'ENABLED' }];
    const states = versions[secret];
    if (!states) return [404, { error: { code: 404, message: `Secret ${secret} not found` } }];
    const name = (index: number) => `projects/1/secrets/${secret}/versions/${index + 1}`;
    return [200, { versions: states.map((state, index) => ({ name: name(index), state })) }];
  }
  const deploy = (...args: string[]) => runNode(['scripts/deploy.mjs', '--check', ...args], google);
  const signedIn = (...args: string[]) => {
    google['FIREBASE_TOKEN'] = 'refresh-token';
    return deploy(...args);
  };

  it('wants a project that is not one of the emulators', async () => {
    const { code, output } = await deploy();
    expect(code).toBe(1);
    expect(output).toContain('- A Firebase project: "demo-ensemble" exists in the emulators only.');
    expect(asked).toEqual([]);
  });

  it('wants somebody to be signed in', async () => {
    const { code, output } = await deploy('--project', 'my-project');
    expect(code).toBe(1);
    expect(output).toContain('- Access to project my-project: Failed to authenticate');
    expect(output).toContain('npm run firebase -- login');
  });

  it('names every secret that has no enabled version, with the command that sets it', async () => {
    versions = {
      KEY_PEPPER: ['ENABLED'],
      ENDPOINT_KEYS: ['ENABLED'],
      OPENAI_API_KEY: ['DESTROYED', 'ENABLED'],
      GEMINI_API_KEY: ['DISABLED'],
    };
    const { code, output } = await signedIn('--project', 'my-project');
    expect(code).toBe(1);
    expect(output.match(/- The secret .+/g)).toEqual([
      '- The secret ANTHROPIC_API_KEY: npm run firebase -- functions:secrets:set ANTHROPIC_API_KEY --project my-project',
      '- The secret GEMINI_API_KEY: npm run firebase -- functions:secrets:set GEMINI_API_KEY --project my-project',
      '- The secret ROUTER_KEY_SECRET: npm run firebase -- functions:secrets:set ROUTER_KEY_SECRET --project my-project',
    ]);
  });

  it('says so when nothing is missing', async () => {
    for (const name of [
      'OPENAI_API_KEY',
      'ANTHROPIC_API_KEY',
      'GEMINI_API_KEY',
      'ENDPOINT_KEYS',
      'KEY_PEPPER',
      'ROUTER_KEY_SECRET',
    ]) {
      versions[name] = ['ENABLED'];
    }
    const { code, output } = await signedIn('-P', 'my-project');
    expect(output).toContain('Nothing is missing to deploy to my-project.');
    expect(code).toBe(0);
  });
});
