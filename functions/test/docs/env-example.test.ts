import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { documentedSettings } from './documented-settings';

/** functions/.env.example has every setting of docs/configuration.md, which is held to the code, with a line of what it does. */

const LINES = readFileSync(join(__dirname, '..', '..', '.env.example'), 'utf8').split('\n');
const SETTING = /^#?([A-Z][A-Z0-9_]*)=(.*)$/;

/** Each setting with the line above it, in the order of the file. */
const LISTED = LINES.flatMap((line, index) => {
  const [, name, value = ''] = SETTING.exec(line) ?? [];
  return name === undefined ? [] : [{ name, value, line, above: LINES[index - 1] ?? '' }];
});
const DOCUMENTED = new Map(documentedSettings().map((setting) => [setting.name, setting]));

/** What a cell shows as code, if that is all it shows. */
function literalOf(cell: string): string | undefined {
  return /^`([^`]+)`$/.exec(cell)?.[1];
}

describe('functions/.env.example', () => {
  it('has every documented setting once, in the same order, and no other', () => {
    expect(LISTED.map(({ name }) => name)).toEqual([...DOCUMENTED.keys()]);
  });

  it('sets nothing, however it is copied', () => {
    expect(parseEnv(LINES.join('\n'))).toEqual({});
  });

  it.each(LISTED)('$name: says in one line what it does', ({ above }) => {
    expect(above).toMatch(/^# [A-Z`].{10,}\.$/);
  });

  it.each(LISTED)('$name: shows its default, or else its example', ({ name, value, line }) => {
    const { defaultText = '', values = '', example = '' } = DOCUMENTED.get(name) ?? {};
    const isSecret = values.startsWith('secret');
    const shown = isSecret ? '' : (literalOf(defaultText) ?? literalOf(example));
    expect(value).toBe(shown?.includes('"') ? `'${shown}'` : shown);
    expect(parseEnv(line.slice(1))[name]).toBe(shown);
  });
});
