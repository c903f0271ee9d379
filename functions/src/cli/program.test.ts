import { CommanderError } from 'commander';
import { createProgram } from './program';

const NEW_KEY = ['keys', 'create', '--user', 'a', '--name', 'n'];

type Given = Readonly<Record<string, unknown>>;

const momentOf = (option: unknown, nowMs: number) => (option as (nowMs: number) => number)(nowMs);

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
    ['a misspelt verb', ['keys', 'crate'], "unknown command 'crate'\n(Did you mean create?)"],
    ['a misspelt noun', ['kyes', 'list'], "unknown command 'kyes'\n(Did you mean keys?)"],
    ['another verb', ['keys', 'constructor'], "unknown command 'constructor'"],
    ['a noun alone', ['budgets'], 'set [options] '],
    ['a word too many', ['keys', 'list', 'alice', '--user', 'a'], 'too many arguments'],
    [
      'a misspelt option',
      ['keys', 'list', '--user', 'a', '--usr', 'a'],
      "unknown option '--usr'\n(Did you mean --user?)",
    ],
    ['an option of another command', [...NEW_KEY, '--monthly', '5'], "unknown option '--monthly'"],
    ['an option that is empty', ['keys', 'list', '--user', ' '], "'--user <U>' argument ' ' is invalid"],
    ['an option without a value', ['keys', 'list', '--user'], "'--user <U>' argument missing"],
    ['a flag with a value', ['keys', 'list', '--user', 'a', '--json=yes'], "unknown option '--json=yes'"],
    ['control characters', ['keys', 'list', '--user', 'a', '--\u001b[2J'], "'--\\u001b[2J'"],
  ])('names what is wrong, and what was probably meant: %s', async (_, args, message) => {
    const { options, printed, ended } = await read(...args);
    expect(options).toBeUndefined();
    expect(printed).toContain(message);
    expect(ended?.exitCode).toBe(1);
  });

  it('lists groups, commands and options in its help', async () => {
    const { printed, ended } = await read('--help');
    expect(ended?.exitCode).toBe(0);
    for (const group of ['keys', 'users', 'subscriptions', 'budgets', 'usage', 'audit', 'store'])
      expect(printed).toMatch(new RegExp(`^  ${group} +\\S`, 'm'));
    expect((await read('keys', '--help')).printed).toMatch(/^ {2}rotate \[options\] +replace a key/m);
    for (const option of ['--user', '--rpm', '--json', '--store', '--help'])
      expect((await read('keys', 'create', '--help')).printed).toMatch(new RegExp(`^  ${option} ?`, 'm'));
  });
});
