import { COMMANDS } from './commands';
import { commandHelp, overview } from './help';
import { UsageError } from './parse-options';
import { readCommandLine } from './read-command-line';

const read = (...args: readonly string[]) => readCommandLine(args, COMMANDS);

describe('readCommandLine', () => {
  it('reads a command, its options and those of all commands', () => {
    expect(read('keys', 'create', '--user', 'alice', '--name=laptop', '--json', '--store', 'firestore')).toEqual({
      name: 'keys create',
      options: { user: 'alice', name: 'laptop' },
      json: true,
      help: false,
      store: 'firestore',
    });
    expect(read('budgets', 'show', '--deployment').options).toEqual({ deployment: 'true' });
  });

  it.each([
    ['a misspelt verb', ['keys', 'crate'], 'unknown command keys crate: did you mean keys create?'],
    ['a misspelt noun', ['kyes', 'list'], 'unknown command kyes list: did you mean keys list?'],
    [
      'another verb',
      ['keys', 'constructor'],
      'unknown command keys constructor: keys knows create, list, rotate, revoke',
    ],
    ['another word', ['constructor'], 'unknown command constructor: npm run admin -- --help lists all commands'],
    ['a noun alone', ['budgets'], 'budgets does what? One of set, show'],
    ['a word too many', ['keys', 'list', 'alice'], 'keys list takes no further word: alice'],
    [
      'a misspelt option',
      ['keys', 'list', '--usr', 'alice'],
      'unknown option --usr: did you mean --user? (npm run admin -- keys list --help)',
    ],
    [
      'an option of another command',
      ['keys', 'revoke', '--id', 'key_1', '--monthly', '5'],
      'unknown option --monthly: known are --id, --json, --store, --help (npm run admin -- keys revoke --help)',
    ],
    ['an option without which it does nothing', ['keys', 'create', '--user', 'alice'], '--name is required'],
    ['an option that is empty', ['keys', 'list', '--user', ' '], '--user is required'],
    ['an option given twice', ['keys', 'list', '--user', 'a', '--user', 'b'], '--user is given twice'],
    ['a very long word', ['x'.repeat(100_000)], /^unknown command x+: npm run admin/],
  ])('names what is wrong, and what was probably meant: %s', (_, args, message) => {
    expect(() => read(...args)).toThrow(UsageError);
    expect(() => read(...args)).toThrow(message);
  });

  it.each([
    ['keys', 'list', '--user'],
    ['keys', 'list', '--user', '--json'],
    ['keys', 'list', '--json=yes'],
  ])('refuses an option without its value, and a flag with one: %s %s %s', (...args) => {
    expect(() => read(...args.filter((arg) => arg !== undefined))).toThrow(/--(user|json)/);
  });

  it.each([[[]], [['--help']], [['help']], [['keys', '--help']]])('takes %j for a wish for help', (args) => {
    expect(read(...args)).toMatchObject({ name: undefined, help: true });
  });

  it.each([[['keys', 'rotate', '--help']], [['help', 'keys', 'rotate']]])('takes %j for a wish to know one', (args) => {
    expect(read(...args)).toMatchObject({ name: 'keys rotate', help: true });
  });
});

describe('the help', () => {
  it('names every command, in lines that fit a terminal', () => {
    const text = overview(COMMANDS);
    for (const name of Object.keys(COMMANDS)) expect(text).toContain(`\n  ${name} `);
    expect(text.split('\n').filter((line) => line.length > 100)).toEqual([]);
  });

  it.each(Object.entries(COMMANDS))('%s: names every option, with examples that can be read', (name, command) => {
    expect(read(...name.split(' '), '--help')).toMatchObject({ name, help: true });
    const text = commandHelp(name, command);
    for (const option of [...command.needs, ...command.takes]) expect(text).toMatch(new RegExp(`^  --${option} `, 'm'));
    expect(command.examples.length).toBeGreaterThan(0);
    for (const example of command.examples) {
      const words = [...example.matchAll(/"([^"]*)"|\S+/g)].map(([word, quoted]) => quoted ?? word);
      expect(read(...words)).toMatchObject({ name, help: false });
    }
  });
});
