import { Command, Help } from 'commander';
import { addAccountCommands } from './account-commands';
import { addBudgetCommands } from './budgets';
import type { Perform } from './command';
import { addKeyCommands } from './key-commands';
import { printable } from './printable';
import { refuseSlips } from './refuse-slips';
import { addReportCommands } from './report-commands';

const ABOUT = 'It names the store it works on, on stderr. Exit code: 0 done, 1 refused or failed, 2 wrong usage.';

/** The operator's command line. Throws a CommanderError where it has no work to do, once it has said why. */
export function createProgram(perform: Perform): Command {
  const program = new Command('npm run admin --')
    .option('--json', 'one JSON value on stdout, for scripts')
    .option('--store <KIND>', 'embedded or firestore; default: as STORE says')
    .helpOption('--help', 'commands, options and examples')
    .helpCommand(false)
    .showHelpAfterError('(add --help for commands, options and examples)')
    .addHelpText('after', `\n${ABOUT}`)
    .configureHelp({ showGlobalOptions: true, subcommandTerm: fullName, formatHelp })
    .configureOutput({ outputError: (text, write) => write(text.split('\n').map(printable).join('\n')) })
    .exitOverride();
  for (const add of [addKeyCommands, addAccountCommands, addBudgetCommands, addReportCommands]) add(program, perform);
  refuseSlips(program);
  for (const command of commandsOf(program)) {
    refuseSlips(command);
    askLastForNeeded(command);
  }
  return program;
}

/** The commands that do something. */
function commandsOf(program: Command): Command[] {
  return program.commands.flatMap((command) => (command.commands.length > 0 ? commandsOf(command) : [command]));
}

/** Names needed options in the usage. They are asked for last: a missing one may be one that is misspelt. */
function askLastForNeeded(command: Command): void {
  const needed = command.options.filter(({ mandatory }) => mandatory);
  command.usage([...needed.map(({ flags }) => flags), '[options]'].join(' '));
  for (const option of needed) option.makeOptionMandatory(false);
  command.hook('preAction', () => {
    const missing = needed.find((option) => command.getOptionValue(option.attributeName()) === undefined);
    if (missing) command.error(`error: required option '${missing.flags}' not specified`);
  });
}

function fullName(command: Command): string {
  return `${command.parent?.name()} ${command.name()}`;
}

/** Formats the help with the commands themselves in place of their groups. */
function formatHelp(command: Command, helper: Help): string {
  helper.visibleCommands = commandsOf;
  return Help.prototype.formatHelp.call(helper, command, helper);
}
