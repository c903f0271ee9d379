import { cpSync, mkdirSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { during } from '../support/during';
import { describeWithFirestore } from '../support/firestore-emulator';
import { ranProgram } from '../support/programs';
import { temporaryDirectory } from '../support/temporary-directory';

/** `npm run doctor`, as npm runs it. */

const ROOT = join(__dirname, '..', '..', '..');
const KEY = 'sk-0123456789abcdefghij';

interface Found {
  readonly check: string;
  readonly status: string;
  readonly says: string;
  readonly mend?: string;
}

const directory = during('all', temporaryDirectory);

async function ran(env: Record<string, string>, args: readonly string[], root = ROOT) {
  const settings = { PATH: process.env['PATH'], DATA_DIR: join(directory.path, 'data'), ...env };
  const ended = await ranProgram(['scripts/doctor.mjs', ...args], settings, root);
  expect(ended.output).not.toContain(KEY);
  return ended;
}

async function found(env: Record<string, string>, ...args: string[]) {
  const { code, output } = await ran(env, ['--json', ...args]);
  const { ok, findings } = JSON.parse(output) as { ok: boolean; findings: Found[] };
  expect(ok).toBe(code === 0);
  const of = (check: string) => findings.filter((finding) => finding.check === check);
  for (const { status, mend } of findings) expect([status, mend !== undefined]).toEqual([status, status !== 'ok']);
  return { code, of };
}

describe('npm run doctor', () => {
  it('finds nothing wrong with a fresh copy, and says that the demo models answer', async () => {
    const { code, of } = await found({});
    expect(code).toBe(0);
    for (const check of ['Node', 'packages', 'settings', 'store']) expect(of(check)).toMatchObject([{ status: 'ok' }]);
    expect(of('models')).toMatchObject([{ status: 'warning', says: expect.stringContaining('demo models') }]);
  });

  it.each([
    ['--help', 0],
    ['--hlep', 2],
  ])('%s: tells how it is used and looks at nothing', async (word, code) => {
    expect(await ran({}, [word])).toEqual({ code, output: expect.stringMatching(/^usage: npm run doctor /m) });
  });

  it('says in a line each which settings are wrong, and the command that mends each', async () => {
    const { code, output } = await ran({ LOG_LEVEL: 'loud', PORT: 'abc', REGION: 'Mars' }, []);
    expect(code).toBe(1);
    expect(output).toContain('wrong   settings: REGION must be a region such as us-central1\n        → unset REGION');
    expect(output).toContain('wrong   settings: PORT must be a whole number from 1 to 65535\n        → unset PORT');
    expect(output).toContain('wrong   settings: LOG_LEVEL must be one of silent, error, warn, info, debug\n');
    expect(output).not.toContain('    at ');
  });

  it('calls each provider once, and only where it may', async () => {
    const asked: string[] = [];
    const server = createServer((request, response) => {
      if (request.method === 'POST') asked.push(String(request.url));
      response.writeHead(401).end('{}');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
    const env = { OPENAI_BASE_URL: url, OPENAI_API_KEY: KEY, DEFAULT_MODEL: 'own' };
    const uncalled = await found(env);
    expect([uncalled.code, asked]).toEqual([0, []]);
    expect(uncalled.of('provider')).toMatchObject([{ status: 'warning', says: 'not called: own' }]);
    const says = expect.stringContaining('price, listed at cost 0: own');
    expect(uncalled.of('models')).toMatchObject([{ status: 'warning', says }]);
    const called = await found(env, '--call');
    server.close();
    expect([called.code, asked]).toEqual([1, ['/v1/chat/completions']]);
    const mend = expect.stringContaining('OPENAI_API_KEY');
    expect(called.of('provider')).toMatchObject([{ status: 'wrong', says: 'own: unauthorized', mend }]);
  });

  it('works where nothing is installed', async () => {
    const copy = join(directory.path, 'copy');
    mkdirSync(join(copy, 'functions'), { recursive: true });
    for (const part of ['scripts', 'functions/scripts', 'functions/package-lock.json']) {
      cpSync(join(ROOT, part), join(copy, part), { recursive: true });
    }
    const { code, output } = await ran({}, [], copy);
    expect(code).toBe(0);
    expect(output).toContain(
      'warning packages: not yet installed, or not those of the lockfile, or not known to load here\n        → npm start\n',
    );
    expect(output).toContain('warning service: settings, providers and store can be looked at once');
  });
});

describeWithFirestore('npm run doctor with Firestore', (emulator) => {
  it('says that the store can be read, who answers', async () => {
    const { FIRESTORE_EMULATOR_HOST = '' } = process.env;
    const project = emulator.newProject();
    const { code, of } = await found({ FIRESTORE_EMULATOR_HOST, GCLOUD_PROJECT: project, RATE_LIMIT_RPM: '120' });
    expect(code).toBe(0);
    expect(of('store')).toEqual([{ check: 'store', status: 'ok', says: `Firestore, project ${project}: readable` }]);
    expect(of('settings')).toMatchObject([{ status: 'ok' }]);
  });
});
