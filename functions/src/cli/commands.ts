import { ACCOUNT_COMMANDS } from './account-commands';
import { BUDGET_COMMANDS } from './budgets';
import type { Command } from './command';
import { KEY_COMMANDS } from './key-commands';
import { REPORT_COMMANDS } from './report-commands';

/** All commands of the operator, by name, in the order of the help. */
export const COMMANDS: Readonly<Record<string, Command>> = {
  ...KEY_COMMANDS,
  ...ACCOUNT_COMMANDS,
  ...BUDGET_COMMANDS,
  ...REPORT_COMMANDS,
};
