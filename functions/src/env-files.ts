import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { keyFlaw, SettingsError } from './lib/settings-reader';

const FILES = ['.env.local', '.env'];
/** A comment, or a setting: its value is in quotation marks, over lines, or goes to the end of its line. */
const READABLE =
  /^\s*(?:#.*|(?:export\s+)?[A-Za-z_][\w.-]*[^\S\n]*=(?:[^\S\n]*(["'`])(?:(?!\1)[\s\S])*\1[^\S\n]*(?:#.*)?|(?![^\S\n]*["'`]).*))$/gm;

/** Loads `functions/.env.local` and `functions/.env`; variables that are set win. Unreadable lines are a `SettingsError`. */
export function loadLocalEnvironment(directory: string, env: NodeJS.ProcessEnv = process.env): void {
  for (const file of FILES) {
    for (const [name, value] of Object.entries(settingsIn(directory, file))) env[name] ??= value;
  }
}

/** The file that a variable has its value from, as `functions/.env`; undefined where the environment has it. */
export function fileOf(directory: string, name: string, value: string | undefined): string | undefined {
  const file = FILES.find((each) => settingsIn(directory, each)[name] === value);
  return value === undefined || file === undefined ? undefined : `functions/${file}`;
}

/** Reads a file as editors save it: UTF-8 or UTF-16, any ends of lines, any blanks; what is invisible is left out. */
function settingsIn(directory: string, file: string): NodeJS.Dict<string> {
  const path = join(directory, file);
  if (!existsSync(path)) return {};
  const lineEnds = decoded(readFileSync(path)).replace(/\r\n?/g, '\n');
  const text = lineEnds.replace(/\p{Zs}/gu, ' ').replace(/\p{Cf}/gu, '');
  const settings = parseEnv(text);
  const unreadable = text.replace(READABLE, (read) => read.replace(/[^\n]/g, '')).split('\n');
  const flaws = text.split('\n').flatMap((line, index) => {
    const [, key] = /^\s*(?:export\s+)?(\w+_API_KEY)\s*=/.exec(line) ?? [];
    const flaw = unreadable[index]?.trim() ? 'is not NAME=value' : key && keyFlaw(key, settings[key] ?? '');
    return flaw ? [`functions/${file}, line ${index + 1}: ${flaw}`] : [];
  });
  if (flaws.length > 0) throw new SettingsError(flaws.join('\n'));
  return settings;
}

/** The first bytes tell: a mark, or the zero beside an ASCII character. */
function decoded(bytes: Uint8Array): string {
  const [first, second] = bytes;
  if (first === 0xfe || first === 0) return new TextDecoder('utf-16be').decode(bytes);
  return new TextDecoder(first === 0xff || second === 0 ? 'utf-16le' : 'utf-8').decode(bytes);
}
