import { execFile } from 'node:child_process';
import { chmod, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { createKey } from '../../src/access/keys';
import { readConfig } from '../../src/config';
import { createContainer } from '../../src/container';
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

  it('keys create refuses limits that make no sense, naming what is wrong, and makes no key', async () => {
    await admin('subscriptions', 'set', ...USER, '--tier', 'pro', '--status', 'active');
    const cases = [
      ['--expires=soon', 2, "option '--expires <WHEN>' argument 'soon' is invalid"],
      ['--models=gpt-*,,o3', 2, '--models'],
      ['--endpoints=chat', 1, 'Invalid endpoints: must be'],
      ['--rpm=1.5', 2, '--rpm'],
      ['--rpm=31', 1, 'Invalid --rpm: must be an integer from 1 to 30'],
      ['--budget=-5', 2, '--budget'],
    ] as const;
    for (const [option, expected, reason] of cases) {
      const { code, stderr } = await admin('keys', 'create', ...USER, '--name', 'n', option);
      expect({ option, code, stderr }).toEqual({ option, code: expected, stderr: expect.stringContaining(reason) });
    }
    expect(await keys()).toEqual([]);
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
    const container = createContainer(readConfig({ DATA_DIR: directory.path, STORE: 'embedded', LOG_LEVEL: 'error' }));
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

  it('names the store it works on, on stderr alone', async () => {
    const line = `store: embedded, in ${directory.path} (DATA_DIR)`;
    const [first, second] = [await admin('users', 'list'), await admin('users', 'list', '--json')];
    expect(first.stdout).toBe('no users\n');
    expect(first.stderr).toContain(`${line}, which is new and empty\n`);
    expect(second.stdout).toBe('{"data":[],"has_more":false}\n');
    expect(second.stderr).toContain(`${line}\n`);
    const elsewhere = await admin('users', 'list', '--store', 'somewhere');
    expect(elsewhere).toMatchObject({ code: 1, stderr: 'STORE must be one of embedded, firestore\n' });
  });

  it('takes what an operator says for the newest, also where the clock was set back since the last time', async () => {
    const { store } = createContainer(readConfig({ DATA_DIR: directory.path, STORE: 'embedded', LOG_LEVEL: 'error' }));
    const sourceUpdatedAtMs = Date.now() + 3_600_000;
    await store.putSubscription({ userId: 'alice', tier: 'pro', status: 'past_due', sourceUpdatedAtMs });
    await store.close();
    const said = await admin('subscriptions', 'set', ...USER, '--tier', 'pro', '--status', 'active');
    expect(said).toMatchObject({ code: 0, stderr: expect.not.stringContaining('newer') });
    expect(await json('subscriptions', 'show', ...USER)).toMatchObject({ status: 'active' });
  });

  it('lists users with their plans and budgets', async () => {
    const set = (user: string, tier: string, status: string) =>
      admin('subscriptions', 'set', '--user', user, '--tier', tier, '--status', status);
    await set('bob', 'pro', 'past_due');
    await set('alice', 'pro', 'active');
    await admin('budgets', 'set', ...USER, '--monthly', '50');
    type Listed = { data: { user: string }[]; has_more: boolean };
    const { data, has_more } = await json<Listed>('users', 'list');
    expect(data).toEqual([
      { user: 'alice', tier: 'pro', status: 'active', apiAccess: true, monthlyUsd: 50, updatedAt: expect.any(String) },
      {
        user: 'bob',
        tier: 'pro',
        status: 'past_due',
        apiAccess: false,
        monthlyUsd: null,
        updatedAt: expect.any(String),
      },
    ]);
    expect(has_more).toBe(false);
    expect((await json<Listed>('users', 'list', '--after', 'alice')).data).toMatchObject([{ user: 'bob' }]);
    const { stdout } = await admin('users', 'list');
    expect(stdout).toMatch(/^TIER +STATUS +API +MONTHLY BUDGET +CHANGED +USER\n/);
    expect(stdout).toMatch(/^pro +active +open +\$50\.00 +\S+Z +alice$/m);
    expect(stdout).toMatch(/^pro +past_due +closed +- +\S+Z +bob$/m);
  });

  it.each([
    [
      'tier',
      'premium',
      'active',
      "option '--tier <TIER>' argument 'premium' is invalid. Allowed choices are pro, byok, free.\n",
    ],
    [
      'status',
      'pro',
      'cancelled',
      "'--status <STATUS>' argument 'cancelled' is invalid. Allowed choices are active, trialing, past_due, canceled,",
    ],
  ])('refuses an unknown %s by name, with the known ones: %s, %s', async (_, tier, status, words) => {
    const { code, stderr } = await admin('subscriptions', 'set', ...USER, '--tier', tier, '--status', status);
    expect(code).toBe(2);
    expect(stderr).toContain(words);
    expect((await admin('users', 'list')).stdout).toBe('no users\n');
  });

  it('tells how to give a user a plan who has none', async () => {
    const { code, stderr } = await admin('keys', 'create', ...USER, '--name', 'n');
    expect(code).toBe(1);
    expect(stderr).toContain(
      'user alice has no active Pro subscription in this store: npm run admin -- subscriptions set --user "alice" --tier',
    );
  });

  it('shows no text of a stored name that would move the cursor, hide itself or look like another row', async () => {
    const container = createContainer(readConfig({ DATA_DIR: directory.path, STORE: 'embedded', LOG_LEVEL: 'error' }));
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
    const container = createContainer(readConfig({ DATA_DIR: directory.path, STORE: 'embedded', LOG_LEVEL: 'error' }));
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

  it('copies the embedded store into a new file', async () => {
    await newKey();
    const file = join(directory.path, 'backup.db');
    expect(await admin('store', 'backup')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("required option '--to <FILE>' not specified"),
    });
    expect(await json('store', 'backup', '--to', file)).toMatchObject({ file });
    expect((await admin('store', 'backup', '--to', file)).stderr).toContain('EEXIST');
  });

  it('lists who did what to whose account', async () => {
    const { id } = await newKey();
    await admin('keys', 'revoke', '--id', id);
    type Listed = { data: { act: string; actor: string; user: string; target: string | null }[]; has_more: boolean };
    const { data, has_more } = await json<Listed>('audit', 'list', ...USER, '--since', '1h');
    expect(data.map(({ act, actor, user, target }) => [act, actor, user, target])).toEqual([
      ['keys.revoke', 'cli', 'alice', id],
      ['keys.create', 'cli', 'alice', id],
      ['subscriptions.set', 'cli', 'alice', null],
    ]);
    expect(has_more).toBe(false);
    expect((await json<Listed>('audit', 'list', '--user', 'bob')).data).toEqual([]);
    expect((await admin('audit', 'list', '--since', 'constructor')).code).toBe(2);
  });

  it('refuses the id of a user that is too long or holds a control character', async () => {
    const set = (user: string) => admin('subscriptions', 'set', '--user', user, '--tier', 'pro', '--status', 'active');
    const refusals = await Promise.all([set('two\nlines'), set('u'.repeat(201))]);
    expect(refusals.map(({ code }) => code)).toEqual([1, 1]);
    expect(refusals[0].stderr).toContain('Invalid user: must be well-formed text without control characters');
    expect(refusals[1].stderr).toContain('Invalid user: must have 1 to 200 characters');
  });

  it('takes a name that every object of JavaScript has for no overlap, status, endpoint or command', async () => {
    const name = 'constructor';
    const { id } = await newKey();
    const refusals = await Promise.all([
      admin('keys', 'rotate', '--id', id, '--overlap', name),
      admin('keys', 'rotate', '--id', id, '--overlap', '__proto__'),
      admin('subscriptions', 'set', ...USER, '--tier', 'pro', '--status', name),
      admin('keys', 'create', ...USER, '--name', 'n', '--endpoints', name),
      admin('keys', 'create', ...USER, '--name', 'n', '--expires', name),
      admin('keys', name),
      admin(name),
    ]);
    expect(refusals.map(({ code }) => code)).toEqual([2, 2, 2, 1, 2, 2, 2]);
    expect(await keys()).toMatchObject([{ id, expiresAt: null, status: 'active' }]);
  });

  it('sets, shows and removes the budgets of users and of the deployment', async () => {
    await admin('subscriptions', 'set', ...USER, '--tier', 'pro', '--status', 'active');
    const set = (...options: readonly string[]) => json('budgets', 'set', ...options);
    const show = (...options: readonly string[]) => json('budgets', 'show', ...options);
    expect(await set(...USER, '--monthly', '50')).toEqual({ user: 'alice', monthlyUsd: 50 });
    expect(await show(...USER)).toMatchObject({ user: 'alice', monthlyUsd: 50, spentUsd: 0 });
    expect(await set(...USER, '--monthly', 'none')).toEqual({ user: 'alice', monthlyUsd: null });
    expect(await show(...USER)).toMatchObject({ monthlyUsd: null });
    expect(await show('--deployment')).toMatchObject({ deployment: true, monthlyUsd: null, spentUsd: null });
    await set('--deployment', '--monthly', '0.25');
    expect((await admin('budgets', 'show', '--deployment')).stdout).toMatch(
      /^deployment: \d{4}-\d\d: \$0\.00 spent, of \$0\.25$/m,
    );
  });

  it.each([
    ['no owner', ['--monthly', '5'], 2, 'either --user or --deployment is required'],
    ['two owners', [...USER, '--deployment', '--monthly', '5'], 2, 'either --user or --deployment is required'],
    ['no amount', ['--deployment'], 2, "required option '--monthly <USD>' not specified"],
    ['no such amount', ['--deployment', '--monthly', '-5'], 2, '--monthly'],
    ['an unknown user', ['--user', 'nobody', '--monthly', '5'], 1, 'nobody has no subscription'],
  ])('refuses a budget with %s', async (_, options, code, words) => {
    const ended = await admin('budgets', 'set', ...options);
    expect(ended.code).toBe(code);
    expect(ended.stderr).toContain(words);
  });
});
