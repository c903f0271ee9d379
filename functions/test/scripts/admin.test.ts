import { execFile } from 'node:child_process';
import { chmod, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { createKey } from '../../src/access/keys';
import { readConfig } from '../../src/config';
import { createServices } from '../../src/services';
import { during } from '../support/during';
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

describe('npm run admin', () => {
  const directory = during('each', temporaryDirectory);

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
  const services = () =>
    createServices(readConfig({ DATA_DIR: directory.path, STORE: 'embedded', LOG_LEVEL: 'error' }));
  const subscription = { userId: 'alice', tier: 'pro', status: 'active', sourceUpdatedAtMs: 0 };

  it('says which file it may not use, and which setting leads there', async () => {
    await chmod(directory.path, 0o000);
    const isExempt = await readdir(directory.path).then(
      () => true,
      () => false,
    );
    const { code, stderr } = await adminBy(isExempt ? BOUND_BY_MODES : [], ['keys', 'list', ...USER]);
    await chmod(directory.path, 0o700);
    const file = join(directory.path, 'ensemble.db');
    expect(code).toBe(1);
    expect(stderr).toContain(
      `Cannot use ${file}: this user may not read or write there. Its directory is set by DATA_DIR`,
    );
  });

  it('makes at most 20 live keys a user, over any number of processes', async () => {
    const container = services();
    const { store, config } = container;
    await store.putSubscription(subscription);
    for (let index = 0; index < 17; index += 1) {
      await createKey({ ...container, keyPrefix: config.keyPrefix }, { userId: 'alice', name: 'n' });
    }
    await store.close();
    const processes = Array.from({ length: 6 }, () => admin('keys', 'create', ...USER, '--name', 'n'));
    const codes = (await Promise.all(processes)).map(({ code }) => code);
    expect(codes.sort()).toEqual([0, 0, 0, 1, 1, 1]);
    const keys = JSON.parse((await admin('keys', 'list', ...USER, '--json')).stdout) as { status: string }[];
    expect(keys.filter(({ status }) => status === 'active')).toHaveLength(20);
  });

  it('takes what an operator says for the newest, also where the clock was set back since the last time', async () => {
    const { store } = services();
    const sourceUpdatedAtMs = Date.now() + 3_600_000;
    await store.putSubscription({ ...subscription, status: 'past_due', sourceUpdatedAtMs });
    await store.close();
    const said = await admin('subscriptions', 'set', ...USER, '--tier', 'pro', '--status', 'active');
    expect(said).toMatchObject({ code: 0, stderr: expect.not.stringContaining('newer') });
    const shown = await admin('subscriptions', 'show', ...USER, '--json');
    expect(JSON.parse(shown.stdout)).toMatchObject({ status: 'active' });
  });

  it('shows no text of a stored name that would move the cursor, hide itself or look like another row', async () => {
    const container = services();
    const { store, config } = container;
    const hostile = 'a\u202eb\u2028key_1   active\u200b';
    await store.putSubscription(subscription);
    // Written by another program.
    await store.putSubscription({ userId: 'x\u001b[2J\n', tier: '\u009b', status: 's', sourceUpdatedAtMs: 0 });
    await createKey({ ...container, keyPrefix: config.keyPrefix }, { userId: 'alice', name: hostile });
    await store.close();
    const rows: readonly [args: readonly string[], code: number, lines: number][] = [
      [['keys', 'list', ...USER], 0, 2],
      [['keys', 'list', ...USER, '--json'], 0, 1],
      [['users', 'list'], 0, 3],
      [['users', 'list', '--json'], 0, 1],
      [['audit', 'list'], 0, 2],
      [['subscriptions', 'show', '--user', 'x\u001b[2J\n'], 1, 1],
    ];
    for (const [args, expected, lines] of rows) {
      const { code, stdout, stderr } = await admin(...args);
      expect(stdout + stderr).not.toMatch(/[^\P{C}\n]|[\u2028\u2029]/u);
      expect([args, code, stdout.trimEnd().split('\n').length]).toEqual([args, expected, lines]);
    }
    const { stdout } = await admin('keys', 'list', ...USER, '--json');
    expect(JSON.parse(stdout)).toMatchObject([{ name: hostile }]);
  });
});
