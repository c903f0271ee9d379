import type { Command } from 'commander';

/** Refuses options given twice, and a following option in place of a value: each might have been a limit. */
export function refuseSlips(command: Command): void {
  const given = new Set<string>();
  for (const option of command.options) {
    command.on(`option:${option.name()}`, (value?: string) => {
      if (given.has(option.flags)) command.error(`error: option '${option.flags}' is given twice`);
      if (value?.startsWith('--')) command.error(`error: option '${option.flags}' has no value before ${value}`);
      given.add(option.flags);
    });
  }
}
