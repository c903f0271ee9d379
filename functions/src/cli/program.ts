import { Command } from 'commander';
import { addAccountCommands, addBudgetCommands } from './accounts';
import type { Perform } from './command';
import { addKeyCommands } from './key-commands';
import { printable } from './output';
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
    .configureHelp({ showGlobalOptions: true })
    .configureOutput({ outputError: (text, write) => write(text.split('\n').map(printable).join('\n')) })
    .exitOverride();
  for (const add of [addKeyCommands, addAccountCommands, addBudgetCommands, addReportCommands]) add(program, perform);
  return program;
}
