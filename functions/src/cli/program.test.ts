import { CommanderError } from 'commander';
import { during } from '../../test/support/during';
import { callRow, reservation, settlement } from '../../test/support/store-records';
import { temporaryDirectory } from '../../test/support/temporary-directory';
import { readConfig } from '../config';
import { createServices, type Services } from '../services';
import type { Ask, Output } from './command';
import { createProgram } from './program';

const NEW_KEY = ['keys', 'create', '--user', 'a', '--name', 'n'];

type Given = Readonly<Record<string, unknown>>;

/** The options that a command is run with, or what it prints instead. */
async function read(...args: readonly string[]) {
  let options: Given | undefined;
  let printed = '';
  const program = createProgram(() => async (given) => {
    options = given as Given;
  });
  const write = (text: string) => {
    printed += text;
  };
  for (const group of [program, ...program.commands, ...program.commands.flatMap(({ commands }) => commands)])
    group.configureOutput({ writeOut: write, writeErr: write });
  const ended = await program.parseAsync(args, { from: 'user' }).then(
    () => undefined,
    (error: CommanderError) => error,
  );
  if (ended) expect(ended).toBeInstanceOf(CommanderError);
  return { options, common: program.opts(), printed, ended };
}

describe('the command line', () => {
  it('reads the options of a command, and those of all commands on either side of it', async () => {
    const args = ['--store', 'firestore', 'keys', 'list', '--user=alice', '--json'];
    const { options, common } = await read(...args);
    expect({ options, common }).toEqual({ options: { user: 'alice' }, common: { json: true, store: 'firestore' } });
  });

  it('reads lists, amounts and times', async () => {
    const momentOf = (option: unknown, nowMs: number) => (option as (nowMs: number) => number)(nowMs);
    const limits = ['--models', 'gpt-*, o3', '--rpm', '10', '--budget', '0.25', '--expires', '2d'];
    const { options } = await read(...NEW_KEY, ...limits);
    expect(options).toMatchObject({ models: ['gpt-*', 'o3'], rpm: 10, budget: 250_000_000 });
    expect(momentOf(options?.['expires'], 5)).toBe(172_800_005);
    const { options: acts } = await read('audit', 'list', '--since', '1h');
    expect(momentOf(acts?.['since'], 3_600_005)).toBe(5);
    const { options: dated } = await read(...NEW_KEY, '--expires', '2027-01-31');
    expect(momentOf(dated?.['expires'], 0)).toBe(Date.UTC(2027, 0, 31));
    expect((await read('budgets', 'set', '--monthly', 'none')).options).toEqual({ monthly: 'none' });
  });

  it.each([
    [['keys', 'crate'], "unknown command 'crate'\n(Did you mean create?)"],
    [['kyes', 'list'], "unknown command 'kyes'\n(Did you mean keys?)"],
    [['budgets'], 'set [options] '],
    [['keys', 'list', 'alice', '--user', 'a'], 'too many arguments'],
    [['keys', 'list', '--user', 'a', '--usr', 'a'], "unknown option '--usr'\n(Did you mean --user?)"],
    [['keys', 'list', '--user', ' '], "'--user <U>' argument ' ' is invalid"],
    [['keys', 'list', '--user'], "'--user <U>' argument missing"],
    [['keys', 'list', '--user', 'a', '--\u001b[2J'], "'--\\u001b[2J'"],
  ])('names what is wrong, and what was probably meant: %j', async (args, message) => {
    const { options, printed, ended } = await read(...args);
    expect({ options, printed }).toEqual({ options: undefined, printed: expect.stringContaining(message) });
    expect(ended?.exitCode).toBe(1);
  });

  it.each([
    [['--help'], ['keys', 'users', 'subscriptions', 'budgets', 'usage', 'audit', 'store']],
    [
      ['keys', '--help'],
      ['create', 'list', 'rotate', 'revoke'],
    ],
    [
      ['keys', 'create', '--help'],
      ['--user', '--rpm', '--json', '--store', '--help'],
    ],
  ])('lists groups, commands and options: %j', async (args, names) => {
    const { printed, ended } = await read(...args);
    expect(ended?.exitCode).toBe(0);
    for (const name of names) expect(printed).toMatch(new RegExp(`^  ${name} +\\S`, 'm'));
  });
});

describe('keys rotate: the overlap', () => {
  const directory = during('each', temporaryDirectory);
  let services: Services;
  let id: string;
  beforeEach(async () => {
    services = createServices(readConfig({ DATA_DIR: directory.path, STORE: 'embedded', LOG_LEVEL: 'error' }));
    await services.store.putSubscription({ userId: 'alice', tier: 'pro', status: 'active', sourceUpdatedAtMs: 0 });
    id = ((await run(['keys', 'create', '--user', 'alice', '--name', 'n', '--expires', '3d'])).data as { id: string })
      .id;
  });
  afterEach(async () => {
    await services.store.close();
  });

  const run = async (args: readonly string[], ask?: Ask): Promise<Output> => {
    let output: Output | undefined;
    const program = createProgram((work) => async (options) => {
      output = await work(services, options, ask);
    });
    await program.parseAsync(args, { from: 'user' });
    if (!output) throw new Error('nothing was done');
    return output;
  };

  it.each<[string, string[] | undefined, string[], string, number]>([
    ['is asked for, until the answer is one of those offered', ['soon', '24h'], [], '24h', 24],
    ['is none where nobody can be asked, and that is said', undefined, [], '0, the default', 0],
    ['is not asked for where it is given, and never lengthens the life of a key', [], ['--overlap', '7d'], '7d', 72],
  ])('%s', async (_, answers, more, told, hours) => {
    const questions: string[] = [];
    const ask = async (question: string) => {
      questions.push(question);
      return answers?.shift() ?? '';
    };
    const asked = answers?.length ?? 0;
    const { text, data } = await run(['keys', 'rotate', '--id', id, ...more], answers && ask);
    expect(questions).toEqual(Array(asked).fill('How long shall the old key work on (0, 1h, 24h, 7d)? [0] '));
    const { expiresAtMs } = (await services.store.findKey(id)) ?? {};
    expect(Math.round(((expiresAtMs ?? 0) - Date.now() + 60_000) / 3_600_000)).toBe(hours);
    const fate = hours === 0 ? 'no more' : `until ${new Date(expiresAtMs ?? 0).toISOString()}`;
    expect(text).toContain(`The old key ${id} works ${fate} (overlap ${told}).`);
    expect(data).toMatchObject({ replaces: id, overlap: told.split(',')[0] });
  });

  it('begins no budget anew: `keys list` shows what the line of keys has spent', async () => {
    const { store, clock } = services;
    const startedAtMs = clock.nowMs();
    const month = new Date(startedAtMs).toISOString().slice(0, 7);
    const key = { userId: 'alice', keyId: id, keyName: 'n', endpoint: 'chat.completions', month };
    const request = reservation('r1', { ...key, startedAtMs });
    await store.admit({ name: 'api', max: 9, windowMs: 60_000 }, [request], startedAtMs);
    await store.settle(settlement(request, [callRow('c', { costNanoUsd: 20_000_000 })]));
    await run(['keys', 'rotate', '--id', id, '--overlap', '1h']);
    expect((await run(['keys', 'list', '--user', 'alice'])).data).toMatchObject([
      { spentUsd: 0.02 },
      { spentUsd: 0.02 },
    ]);
  });

  it('is not asked for where there is no such key', async () => {
    const ask = () => Promise.reject(new Error('asked'));
    await expect(run(['keys', 'rotate', '--id', 'key_none'], ask)).rejects.toThrow('No live key with id key_none');
  });
});
