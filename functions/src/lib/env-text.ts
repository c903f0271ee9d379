import { parseEnv } from 'node:util';
import { keyFlaw } from './settings-reader';

/** Settings of a dotenv file, and what is wrong with lines of it, by their numbers. */
interface EnvText {
  readonly settings: NodeJS.Dict<string>;
  readonly flaws: readonly { readonly line: number; readonly says: string }[];
}

const SETTING = /^\s*(?:export\s+)?([A-Za-z_][\w.-]*)\s*=\s*(.*)$/;
const NO_SETTING = /^\s*(?:#|$)/;
/** No text in quotation marks has such a line: one of them is missing. */
const NEXT_SETTING = /^\s*(?:export\s+)?[A-Z][A-Z0-9]*_\w*=/;
const UNCLOSED = 'begins with a quotation mark that is not closed';

/**
 * Reads a dotenv file as editors save it: UTF-8 or UTF-16, with or without a byte order mark, with any ends of lines. Every
 * blank is a plain one, and what is invisible is left out. Flaws repeat nothing of a value.
 */
export function readEnvText(bytes: Uint8Array): EnvText {
  const lineEnds = decoded(bytes).replace(/\r\n?/g, '\n');
  const text = lineEnds.replace(/\p{Zs}/gu, ' ').replace(/\p{Cf}/gu, '');
  const settings = parseEnv(text);
  const flaws: { line: number; says: string }[] = [];
  const lines = text.split('\n');
  for (let index = 0; index < lines.length; index += 1) {
    const [line, content = ''] = [index + 1, lines[index]];
    if (NO_SETTING.test(content)) continue;
    const [, name = '', value = ''] = SETTING.exec(content) ?? [];
    const last = lastLine(value, { lines, index });
    const says = name === '' ? 'is not NAME=value' : last === undefined ? UNCLOSED : flawOf(name, settings[name]);
    if (says !== undefined) flaws.push({ line, says: `${name} ${says}`.trim() });
    index = last ?? index;
  }
  return { settings, flaws };
}

/** The first bytes tell: a mark, or the zero beside an ASCII character. */
function decoded(bytes: Uint8Array): string {
  const [first, second] = bytes;
  if (first === 0xfe || first === 0) return new TextDecoder('utf-16be').decode(bytes);
  return new TextDecoder(first === 0xff || second === 0 ? 'utf-16le' : 'utf-8').decode(bytes);
}

/** The index of the line that a value ends in, which begins in the line at `index`; undefined where its end is missing. */
function lastLine(value: string, { lines, index }: { lines: readonly string[]; index: number }): number | undefined {
  const [quote = ''] = /^["'`]/.exec(value) ?? [];
  if (value.includes(quote, 1) || quote === '') return index;
  const end = lines.findIndex((line, at) => at > index && (line.includes(quote) || NEXT_SETTING.test(line)));
  return end < 0 || NEXT_SETTING.test(lines[end] ?? '') ? undefined : end;
}

function flawOf(name: string, value = ''): string | undefined {
  return name.endsWith('_API_KEY') ? keyFlaw(value) : undefined;
}
