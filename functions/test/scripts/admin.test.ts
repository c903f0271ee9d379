import { execFile } from 'node:child_process';
import { chmod, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { createKey } from '../../src/access/keys';
import { readConfig } from '../../src/config';
import { createServices } from '../../src/services';
import { callRow, openRow, rateLimit, reservation, settlement } from '../support/store-records';
import { temporaryDirectory } from '../support/temporary-directory';

/** The operator's command line, as real processes over one embedded store. */

const FUNCTIONS = join(__dirname, '..', '..');
const USER = ['--user', 'alice'];
/** Starts a program for which the superuser, too, may do only what the mode of a file says. */
const BOUND_BY_MODES = ['setpriv', '--bounding-set=-dac_override,-dac_read_search', '--'];

interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

interface KeyView {
  readonly id: string;
  readonly name: string;
  readonly status: string;
  readonly expiresAt: string | null;
  readonly models: string[] | null;
}

describe('npm run admin', () => {
  let directory: Awaited<ReturnType<typeof temporaryDirectory>>;
  beforeEach(async () => {
    directory = await temporaryDirectory();
  });
  afterEach(() => directory.remove());

  const adminBy = (launcher: readonly string[], args: readonly string[]): Promise<Ended> => {
    const env = { PATH: process.env['PATH'], DATA_DIR: directory.path, STORE: 'embedded' };
    const [program = '', ...words] = [...launcher, process.execPath, 'lib/admin.js', ...args];
    return new Promise((resolve) => {
      execFile(program, words, { cwd: FUNCTIONS, env }, (error, stdout, stderr) =>
        resolve({ code: Number(error?.code ?? 0), stdout, stderr }),
      );
    });
  };
  const admin = (...args: readonly string[]) => adminBy([], args);
  const json = async <T>(...args: readonly string[]): Promise<T> => {
    const { code, stdout, stderr } = await admin(...args, '--json');
    if (code !== 0) throw new Error(stderr);
    return JSON.parse(stdout);
  };
  const newKey = async (...options: readonly string[]) => {
    await admin('subscriptions', 'set', ...USER, '--tier', 'pro', '--status', 'active');
    return json<KeyView & { key: string }>('keys', 'create', ...USER, '--name', 'laptop', ...options);
  };
  const keys = () => json<KeyView[]>('keys', 'list', ...USER);

  it('makes a key with every limit, lists them, and rotation keeps them', async () => {
    const limits = ['--models', 'gpt-*, claude-haiku-4-5', '--endpoints', 'chat.completions,models'];
    const { id } = await newKey('--expires', '90d', ...limits, '--rpm', '10', '--budget', '5.50');
    const [created] = await keys();
    expect(created).toMatchObject({
      id,
      models: ['gpt-*', 'claude-haiku-4-5'],
      endpoints: ['chat.completions', 'models'],
      requestsPerMinute: 10,
      budgetUsd: 5.5,
    });
    const inDays = (Date.parse(created?.expiresAt ?? '') - Date.now()) / 86_400_000;
    expect(Math.abs(inDays - 90)).toBeLessThan(0.01);
    const rotated = await json<KeyView>('keys', 'rotate', '--id', id);
    const [successor] = await keys();
    expect(successor).toEqual({ ...created, id: rotated.id, last4: expect.any(String), createdAt: expect.any(String) });
    const { stdout } = await admin('keys', 'list', ...USER);
    const [headings, next, old] = stdout.split('\n');
    expect(headings).toMatch(/^ID +KEY +STATUS +ENDS +REPLACED BY +LIMITS +NAME$/);
    const said =
      'models gpt-*,claude-haiku-4-5; endpoints chat.completions,models; 10 requests a minute; $5.50 a month  laptop';
    expect(next).toMatch(/^key_.* active .*Z /);
    expect([next?.endsWith(said), old?.endsWith(said)]).toEqual([true, true]);
    expect(old).toMatch(new RegExp(`^${id} .* expired .*Z +${rotated.id} `));
  });

  it('says which file it may not use, and which setting leads there', async () => {
    await chmod(directory.path, 0o000);
    const isExempt = await readdir(directory.path).then(
      () => true,
      () => false,
    );
    const { code, stderr } = await adminBy(isExempt ? BOUND_BY_MODES : [], ['keys', 'list', ...USER]);
    await chmod(directory.path, 0o700);
    const file = join(directory.path, 'ensemble.db');
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: expect.stringContaining(
        `Cannot use ${file}: this user may not read or write there. Its directory is set by DATA_DIR`,
      ),
    });
  });

  it('makes at most 20 live keys a user, over any number of processes', async () => {
    const container = createServices(readConfig({ DATA_DIR: directory.path, STORE: 'embedded', LOG_LEVEL: 'error' }));
    const { store, config } = container;
    await store.putSubscription({ userId: 'alice', tier: 'pro', status: 'active', sourceUpdatedAtMs: Date.now() });
    for (let index = 0; index < 17; index += 1) {
      await createKey({ ...container, keyPrefix: config.keyPrefix }, { userId: 'alice', name: 'n' });
    }
    await store.close();
    const processes = Array.from({ length: 6 }, () => admin('keys', 'create', ...USER, '--name', 'n'));
    const codes = (await Promise.all(processes)).map(({ code }) => code);
    expect(codes.sort()).toEqual([0, 0, 0, 1, 1, 1]);
    expect((await keys()).filter(({ status }) => status === 'active')).toHaveLength(20);
  });

  it('takes what an operator says for the newest, also where the clock was set back since the last time', async () => {
    const { store } = createServices(readConfig({ DATA_DIR: directory.path, STORE: 'embedded', LOG_LEVEL: 'error' }));
    const sourceUpdatedAtMs = Date.now() + 3_600_000;
    await store.putSubscription({ userId: 'alice', tier: 'pro', status: 'past_due', sourceUpdatedAtMs });
    await store.close();
    const said = await admin('subscriptions', 'set', ...USER, '--tier', 'pro', '--status', 'active');
    expect(said).toMatchObject({ code: 0, stderr: expect.not.stringContaining('newer') });
    expect(await json('subscriptions', 'show', ...USER)).toMatchObject({ status: 'active' });
  });

  it('shows no text of a stored name that would move the cursor, hide itself or look like another row', async () => {
    const container = createServices(readConfig({ DATA_DIR: directory.path, STORE: 'embedded', LOG_LEVEL: 'error' }));
    const { store, config } = container;
    const hostile = 'a\u202eb\u2028key_1   active\u200b';
    await store.putSubscription({ userId: 'alice', tier: 'pro', status: 'active', sourceUpdatedAtMs: 0 });
    // Written by another program.
    await store.putSubscription({ userId: 'x\u001b[2J\n', tier: '\u009b', status: 's', sourceUpdatedAtMs: 0 });
    await createKey({ ...container, keyPrefix: config.keyPrefix }, { userId: 'alice', name: hostile });
    await store.close();
    const shown = [
      await admin('keys', 'list', ...USER),
      await admin('keys', 'list', ...USER, '--json'),
      await admin('users', 'list'),
      await admin('users', 'list', '--json'),
      await admin('audit', 'list'),
      await admin('subscriptions', 'show', '--user', 'x\u001b[2J\n'),
    ];
    expect(shown.map(({ code }) => code)).toEqual([0, 0, 0, 0, 0, 1]);
    for (const { stdout, stderr } of shown) expect(stdout + stderr).not.toMatch(/[^\P{C}\n]|[\u2028\u2029]/u);
    const lines = shown.map(({ stdout }) => stdout.trimEnd().split('\n').length);
    expect(lines).toEqual([2, 1, 3, 1, 2, 1]);
    expect(JSON.parse(shown[1]?.stdout ?? '')).toMatchObject([{ name: hostile }]);
  });

  it('shows what was used in tables, with the months that count', async () => {
    await admin('subscriptions', 'set', ...USER, '--tier', 'pro', '--status', 'active');
    expect((await admin('usage', 'show', ...USER)).stdout).toBe('alice: nothing was used in this time\n');
    const container = createServices(readConfig({ DATA_DIR: directory.path, STORE: 'embedded', LOG_LEVEL: 'error' }));
    const month = new Date().toISOString().slice(0, 7);
    const calls = [openRow('c')];
    const record = reservation('r', { userId: 'alice', keyName: 'laptop', month, startedAtMs: Date.now(), calls });
    await container.store.admit(rateLimit(1), [record], Date.now());
    await container.store.settle(settlement('r', [callRow('c')]));
    await container.store.close();
    const { stdout } = await admin('usage', 'show', ...USER);
    expect(stdout).toContain(`alice: the whole of ${month} (UTC)\n\nREQUESTS  PROMPT TOKENS`);
    expect(stdout).toMatch(/^CALLS +PROMPT TOKENS +COMPLETION TOKENS +COST +MODEL$/m);
    expect(stdout).toMatch(/^1 +\d+ +\$\d+\.\d\d\d* +laptop$/m);
  });
});
