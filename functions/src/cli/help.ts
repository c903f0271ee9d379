import type { Command } from './command';
import { ALL_OPTIONS, COMMON_OPTIONS, type OptionName, typed } from './option-table';

const PROGRAM = 'npm run admin --';

/** All commands, in a line or two each. */
export function overview(commands: Readonly<Record<string, Command>>): string {
  const rows = Object.entries(commands).map(([name, { summary }]) => ({ name, summary }));
  const width = Math.max(...rows.map(({ name }) => name.length));
  return [
    `usage: ${PROGRAM} <command> [options]`,
    '',
    ...rows.map(({ name, summary }) => `  ${name.padEnd(width)}  ${summary}`),
    '',
    `${PROGRAM} <command> --help tells its options, with examples.`,
    '',
    'Every command takes:',
    ...optionLines(Object.keys(COMMON_OPTIONS) as (keyof typeof COMMON_OPTIONS)[]),
    '',
    'It names the store it works on, on stderr. Exit code: 0 done, 1 refused or failed, 2 wrong usage.',
  ].join('\n');
}

/** One command with its options and examples. */
export function commandHelp(name: string, { summary, needs, takes, examples, notes = [] }: Command): string {
  const usage = [...needs.map(typed), ...takes.map((option) => `[${typed(option)}]`)];
  const options: readonly OptionName[] = [...needs, ...takes];
  return [
    `${name}: ${summary}`,
    '',
    `usage: ${[PROGRAM, name, ...usage].join(' ')}`,
    ...(options.length > 0 ? ['', ...optionLines(options)] : []),
    ...(notes.length > 0 ? ['', ...notes] : []),
    '',
    'examples:',
    ...examples.map((example) => `  ${PROGRAM} ${example}`),
  ].join('\n');
}

function optionLines(names: readonly (keyof typeof ALL_OPTIONS)[]): string[] {
  const width = Math.max(...names.map((name) => typed(name).length));
  return names.map((name) => `  ${typed(name).padEnd(width)}  ${ALL_OPTIONS[name].text}`);
}
