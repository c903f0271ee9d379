/*
 * `npm run quality`: what it costs is told and asked for, then the arms are played, then the reports written. The parts:
 * `service/` is how the product is asked, `run/` what is played when and at what price, `analysis/` and `statistics/` what
 * follows from the runs, `report/` how that is shown.
 */
import { stripVTControlCharacters } from 'node:util';
import { CommanderError } from 'commander';
import { gateTables } from '../flow/gate-tables.ts';
import { questionsOfRuns } from '../questions/questions-of-runs.ts';
import { Stopped } from '../service/client.ts';
import { adviseOn } from './advised.ts';
import { callerPath, helpText, readOptions, UsageError } from './options.ts';
import { runStudy } from './run-study.ts';

const CODES: Readonly<Record<Stopped['why'], number>> = { cap: 0, interrupted: 130, failed: 1 };

async function main(args: readonly string[]): Promise<number> {
  try {
    const order = readOptions(args);
    if (order.does === 'help') console.log(helpText());
    else if (order.does === 'flow') process.stdout.write(gateTables());
    else if (order.does === 'advise') console.log(adviseOn(callerPath(order.out)));
    else if (order.does === 'from-runs') process.stdout.write(questionsOfRuns(order.files.map(callerPath)));
    else await runStudy(order.study);
    return 0;
  } catch (error) {
    console.error(error instanceof Error ? stripVTControlCharacters(error.message) : 'failed');
    if (error instanceof Stopped) return CODES[error.why];
    return error instanceof UsageError || error instanceof CommanderError ? 2 : 1;
  }
}

void main(process.argv.slice(2)).then((code) => process.exit(code));
