/*
 * `npm run quality`: what it costs is told and asked for, then the arms are played, then the reports written. The parts:
 * `service/` is how the product is asked, `run/` what is played when and at what price, `analysis/` and `statistics/` what
 * follows from the runs, `report/` how that is shown.
 */
import { CommanderError } from 'commander';
import { printable } from '../../../src/cli/printable';
import { UsageError } from '../../../src/cli/values';
import { runFlow } from '../../flow/run-flow';
import { Stopped } from '../service/stopped';
import { adviseOn } from './advise';
import { callerPath } from './caller-path';
import { questionsOfRuns } from './questions-of-runs';
import { readOptions } from './read-options';
import { runStudy } from './run-study';
import { helpText } from './study-program';

const CODES: Readonly<Record<Stopped['why'], number>> = { cap: 0, interrupted: 130, failed: 1 };

async function main(args: readonly string[]): Promise<number> {
  try {
    const order = readOptions(args);
    if (order.does === 'help') console.log(helpText());
    else if (order.does === 'advise') console.log(adviseOn(callerPath(order.out)));
    else if (order.does === 'flow') console.log(await runFlow(callerPath(order.out), console.error));
    else if (order.does === 'from-runs') process.stdout.write(questionsOfRuns(order.files.map(callerPath)));
    else await runStudy(order.study);
    return 0;
  } catch (error) {
    console.error(error instanceof Error ? error.message.split('\n').map(printable).join('\n') : 'failed');
    if (error instanceof Stopped) return CODES[error.why];
    return error instanceof UsageError || error instanceof CommanderError ? 2 : 1;
  }
}

void main(process.argv.slice(2)).then((code) => process.exit(code));
