import { OpeningLine, withoutOpening } from './opening-line';

/** What a draft says of itself, and what of it is left. */
const DRAFTS: readonly (readonly [draft: string, opening: 'alone' | 'panel', text: string])[] = [
  ['PANEL: no\nHello!', 'alone', 'Hello!'],
  ['PANEL: no\n\nHello!', 'alone', 'Hello!'],
  ['**PANEL: no**\nHello!', 'alone', 'Hello!'],
  ['`Panel: No`\r\nHello!', 'alone', 'Hello!'],
  ['"PANEL: no"\nHello!', 'alone', 'Hello!'],
  ['\n# PANEL：no.\nHello!', 'alone', 'Hello!'],
  ['PANEL: yes\nIt depends.', 'panel', 'It depends.'],
  ['PANEL: **yes**, as it is disputed\nIt depends.', 'panel', 'It depends.'],
  ['It depends.', 'panel', 'It depends.'],
  ['PANEL: nobody knows\nIt depends.', 'panel', 'PANEL: nobody knows\nIt depends.'],
  // Said later, or by somebody else: it is part of the text.
  ['You wrote:\nPANEL: no\nWhy?', 'panel', 'You wrote:\nPANEL: no\nWhy?'],
  ['I say PANEL: no\nHello!', 'panel', 'I say PANEL: no\nHello!'],
  ['PANEL: no', 'alone', ''],
  ['', 'panel', ''],
];

describe('the first line of a first draft', () => {
  it.each(DRAFTS)('%j', (draft, opening, text) => {
    const read = withoutOpening(draft);
    expect([read.opening, read.text]).toEqual([opening, text]);
  });

  it.each(DRAFTS)(
    '%j shows in pieces of any length what stands alone, and nothing of the line',
    (draft, opening, text) => {
      for (const length of [1, 2, 7, 1_000]) {
        const line = new OpeningLine();
        let shown = '';
        for (let at = 0; at < draft.length; at += length) shown += line.read(draft.slice(at, at + length));
        expect(shown).toBe(opening === 'alone' ? text : '');
        expect(line.begun).toBe(shown !== '');
      }
    },
  );

  it('a long first line without the word is not held back for ever', () => {
    const line = new OpeningLine();
    expect(line.read('x'.repeat(1_000))).toBe('');
    expect(line.read('\nPANEL: no\nHello!')).toBe('');
  });
});
