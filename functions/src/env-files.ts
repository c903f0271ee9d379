import { existsSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { readEnvText } from './lib/env-text';
import { SettingsError } from './lib/settings-reader';

const FILES = ['.env.local', '.env'];

/**
 * Loads `functions/.env.local` and `functions/.env` where they are there; variables that are already set win. In
 * production the platform sets them, from the same `.env`. Keys belong in `.env.local`, which is never deployed. Throws a
 * `SettingsError` with a line for each line of them that cannot be read.
 */
export function loadLocalEnvironment(directory: string, env: NodeJS.ProcessEnv = process.env): void {
  for (const file of FILES) {
    for (const [name, value] of Object.entries(settingsIn(join(directory, file)))) env[name] ??= value;
  }
}

/** The file that a variable has its value from, as `functions/.env`; undefined where the environment has it. */
export function fileOf(directory: string, name: string, value: string | undefined): string | undefined {
  const file = FILES.find((path) => settingsIn(join(directory, path))[name] === value);
  return value === undefined || file === undefined ? undefined : `functions/${file}`;
}

function settingsIn(path: string): NodeJS.Dict<string> {
  if (!existsSync(path)) return {};
  const { settings, flaws } = readEnvText(readFileSync(path));
  if (flaws.length === 0) return settings;
  throw new SettingsError(
    flaws.map(({ line, says }) => `functions/${basename(path)}, line ${line}: ${says}`).join('\n'),
  );
}
