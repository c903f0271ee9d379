import { textTable } from './text-table';

const KEYS = [
  { ID: 'key_1', STATUS: 'active', NAME: 'laptop' },
  { ID: 'key_22', STATUS: null, NAME: '日本語' },
];

describe('textTable', () => {
  it('lines columns up, and says where there is nothing', () => {
    expect(textTable(KEYS)).toBe(
      ['ID      STATUS  NAME', 'key_1   active  laptop', 'key_22  -       日本語'].join('\n'),
    );
  });

  it('counts the columns that a terminal takes for wide characters', () => {
    const rows = ['日本', '🦊', 'e\u0301', 'abcd'].map((NAME) => ({ NAME, END: '|' }));
    expect(textTable(rows).split('\n')).toEqual(['NAME  END', '日本  |', '🦊    |', 'e\u0301     |', 'abcd  |']);
  });

  it('leaves out columns in which no row has anything', () => {
    expect(textTable([{ ID: 'a', LIMITS: null }])).toBe('ID\na');
  });

  it('shows texts that would make rows, columns or escape codes of their own by their codes', () => {
    const rows = [{ STATUS: 'revoked', NAME: 'a\nactive   b\u001b[2A' }];
    expect(textTable(rows)).toBe('STATUS   NAME\nrevoked  a\\u000aactive \\u0020\\u0020b\\u001b[2A');
  });
});
