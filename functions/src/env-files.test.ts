import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { during } from '../test/support/during';
import { temporaryDirectory } from '../test/support/temporary-directory';
import { loadLocalEnvironment } from './env-files';
import { SettingsError } from './lib/settings-reader';

const TEXT = 'OPENAI_API_KEY=sk-key\r\n# Schlüssel\r\nDEFAULT_MODEL = "gpt"\r\n';
const SETTINGS = { OPENAI_API_KEY: 'sk-key', DEFAULT_MODEL: 'gpt' };

const littleEndian = (text: string): Buffer => Buffer.from(text, 'utf16le');
const bigEndian = (text: string): Buffer => littleEndian(text).swap16();

describe('a dotenv file', () => {
  const directory = during('each', temporaryDirectory);

  function read(content: string | Buffer): NodeJS.ProcessEnv {
    writeFileSync(join(directory.path, '.env.local'), content);
    const env: NodeJS.ProcessEnv = {};
    loadLocalEnvironment(directory.path, env);
    return env;
  }

  it.each([
    ['UTF-8', Buffer.from(TEXT)],
    ['UTF-8 with a byte order mark', Buffer.from(`\ufeff${TEXT}`)],
    ['UTF-16, little endian', littleEndian(`\ufeff${TEXT}`)],
    ['UTF-16, big endian', bigEndian(`\ufeff${TEXT}`)],
    ['UTF-16 without a mark, little endian', littleEndian(TEXT)],
    ['UTF-16 without a mark, big endian', bigEndian(TEXT)],
    ['Windows-1252, which a comment may have', Buffer.from(TEXT, 'latin1')],
    ['UTF-8 of an old Mac', Buffer.from(TEXT.replaceAll('\r\n', '\r'))],
  ])('is read as editors save it: %s', (_, bytes) => expect(read(bytes)).toEqual(SETTINGS));

  it('is read without what cannot be seen in it, in names and around values', () => {
    const text =
      '\u200bOPENAI_API_KEY\u00a0=\u00a0sk-\u200bkey\u2060\u00a0\n\u00a0\u3000\nexport\u00a0DEFAULT_MODEL=gpt\u200d';
    expect(read(text)).toEqual(SETTINGS);
  });

  it('may have values of several lines', () => {
    const json = '{\n"models": [],\n"endpoints": {}}';
    const env = read(`MODEL_OVERRIDES='${json}'\nEMPTY=\nOPENAI_API_KEY="sk-key" # mine\n\n  # end`);
    expect(env).toEqual({ MODEL_OVERRIDES: json, EMPTY: '', OPENAI_API_KEY: 'sk-key' });
  });

  it('names each line that cannot be read, and nothing of a value', () => {
    const lines = [
      '# comment',
      'OPENAI_API_KEY: sk-key',
      '"GEMINI_API_KEY"="sk-key"',
      '$env:GEMINI_API_KEY = "sk-key"',
      '{"GEMINI_API_KEY": "sk-key"}',
      'sk-key',
      'ANTHROPIC_API_KEY=sk-…',
      'GEMINI_API_KEY="sk-key',
      'DEFAULT_MODEL="gpt"',
      "LOG_LEVEL = 'debug",
    ];
    const flaws = [
      ...[2, 3, 4, 5, 6].map((line) => `line ${line}: is not NAME=value`),
      'line 7: ANTHROPIC_API_KEY has a character that no key has: U+2026',
      ...[8, 10].map((line) => `line ${line}: is not NAME=value`),
    ];
    expect(() => read(lines.join('\n'))).toThrow(
      new SettingsError(flaws.map((flaw) => `functions/.env.local, ${flaw}`).join('\n')),
    );
  });
});
