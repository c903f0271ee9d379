import { hasOpening, withoutOpening } from './opening-line';

/** Drafts, what they say of themselves, and what of them is left. */
const DRAFTS: readonly (readonly [draft: string, opening: 'alone' | 'panel', text: string])[] = [
  ['PANEL: no\n\nHello!', 'alone', 'Hello!'],
  ['**PANEL: no**\nHello!', 'alone', 'Hello!'],
  ['`Panel: No`\r\nHello!', 'alone', 'Hello!'],
  ['"PANEL: no"\nHello!', 'alone', 'Hello!'],
  ['\n# PANEL：no.\nHello!', 'alone', 'Hello!'],
  ['PANEL: no', 'alone', ''],
  ['```\nPANEL: no\n```\nHello!', 'alone', 'Hello!'],
  ['```text\nPANEL: yes\n```\n\nIt depends.', 'panel', 'It depends.'],
  ['PANEL: no\n```\nhello()\n```', 'alone', '```\nhello()\n```'],
  ['PANEL: no ```js\nhello()\n```', 'alone', '```js\nhello()\n```'],
  ['PANEL: no Hello!', 'alone', 'Hello!'],
  ['PANEL: no (a greeting)\n- Hello!', 'alone', '- Hello!'],
  ['PANEL: no\n- Hello!\n- Hi!', 'alone', '- Hello!\n- Hi!'],
  ['PANEL: yes\nIt depends.', 'panel', 'It depends.'],
  ['PANEL: **yes**, as it is disputed\nIt depends.', 'panel', 'It depends.'],
  // Another word, or the line further on: all of it is text.
  ...['It depends.', 'PANEL: nobody knows\nSo?', 'You wrote:\nPANEL: no\nWhy?', 'I say PANEL: no\nHello!', ''].map(
    (draft) => [draft, 'panel', draft] as const,
  ),
  [`${'x'.repeat(1_000)}\nPANEL: no`, 'panel', `${'x'.repeat(1_000)}\nPANEL: no`],
];

it.each(DRAFTS)('%.40j: %s, as soon as its first line is there', (draft, opening, text) => {
  expect(withoutOpening(draft)).toEqual({ opening, text });
  const beginnings = Array.from(draft, (_, at) => draft.slice(0, at + 1));
  for (const beginning of beginnings.filter(hasOpening)) expect(withoutOpening(beginning).opening).toBe(opening);
  expect(beginnings.some(hasOpening)).toBe(/^\s*(?!```)\S[^\n]*\n/.test(draft) || draft.length >= 80);
});
