import { readEnvText } from './env-text';

const TEXT = 'OPENAI_API_KEY=sk-key\r\n# Schlüssel\r\nDEFAULT_MODEL = "gpt"\r\n';
const SETTINGS = { OPENAI_API_KEY: 'sk-key', DEFAULT_MODEL: 'gpt' };

const littleEndian = (text: string): Buffer => Buffer.from(text, 'utf16le');
const bigEndian = (text: string): Buffer => littleEndian(text).swap16();
const read = (text: string) => readEnvText(Buffer.from(text));

describe('a dotenv file', () => {
  it.each([
    ['UTF-8', Buffer.from(TEXT)],
    ['UTF-8 with a byte order mark', Buffer.from(`\ufeff${TEXT}`)],
    ['UTF-16, little endian', littleEndian(`\ufeff${TEXT}`)],
    ['UTF-16, big endian', bigEndian(`\ufeff${TEXT}`)],
    ['UTF-16 without a mark, little endian', littleEndian(TEXT)],
    ['UTF-16 without a mark, big endian', bigEndian(TEXT)],
    ['Windows-1252, which a comment may have', Buffer.from(TEXT, 'latin1')],
    ['UTF-8 of an old Mac', Buffer.from(TEXT.replaceAll('\r\n', '\r'))],
  ])('is read as editors save it: %s', (_, bytes) => {
    expect(readEnvText(bytes)).toEqual({ settings: SETTINGS, flaws: [] });
  });

  it('is read without what cannot be seen in it, in names and around values', () => {
    const text =
      '\u200bOPENAI_API_KEY\u00a0=\u00a0sk-\u200bkey\u2060\u00a0\n\u00a0\u3000\nexport\u00a0DEFAULT_MODEL=gpt\u200d';
    expect(read(text)).toEqual({ settings: SETTINGS, flaws: [] });
  });

  it('may have values of several lines', () => {
    const text = `MODEL_OVERRIDES='{\n"models": [],\n"endpoints": {}}'\nEMPTY=\nOPENAI_API_KEY="sk-key" # mine\n`;
    expect(read(text).flaws).toEqual([]);
    expect(read(text).settings['MODEL_OVERRIDES']).toBe('{\n"models": [],\n"endpoints": {}}');
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
      "LOG_LEVEL='debug",
    ];
    expect(read(lines.join('\n')).flaws).toEqual([
      ...[2, 3, 4, 5, 6].map((line) => ({ line, says: 'is not NAME=value' })),
      { line: 7, says: 'ANTHROPIC_API_KEY has a character that no key has: U+2026' },
      { line: 8, says: 'GEMINI_API_KEY begins with a quotation mark that is not closed' },
      { line: 10, says: 'LOG_LEVEL begins with a quotation mark that is not closed' },
    ]);
  });
});
