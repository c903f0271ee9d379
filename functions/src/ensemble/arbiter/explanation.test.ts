import { explain, explanationText, withNames } from './explanation';

const NAMES = new Map([
  ['A', 'Ada'],
  ['B', 'Blaise'],
  ['AA', 'Curie'],
  ['B2', 'Dirac'],
]);

it('explain tells the winner and every part by name, not by label', () => {
  const parts = ['agreements', 'dissent'].map((key) => ({ key, title: key, ask: '' }));
  const lists = { dissent: ['A: it is a vegetable', 'none of it is red'] };
  const analysis = { winner: 'B', order: ['B', 'A'], lists, items: lists, rationale: 'Candidate B names the ruling.' };
  expect(explain(analysis, { ranked: true, parts }, NAMES)).toEqual([
    { winner: 'Blaise', lines: ['Blaise names the ruling.'] },
    { title: 'agreements', lines: [] },
    { title: 'dissent', lines: ['Ada: it is a vegetable', 'none of it is red'] },
  ]);
});

it.each([
  ['English', 'Is a tomato a fruit or a vegetable? Give me the reasons for both views.', 'Strongest answer'],
  ['German', 'Wie lange darf man gekochten Reis aufbewahren?', 'Beste Antwort'],
  ['English about German', 'Translate "guten Morgen" into French.', 'Strongest answer'],
  ['French', 'Combien de temps peut-on garder du riz cuit ?', 'Meilleure réponse'],
  ['Spanish', '¿Cuánto tiempo se puede guardar el arroz cocido?', 'Mejor respuesta'],
  ['Arabic', 'هل الطماطم فاكهة أم خضار؟', 'أفضل إجابة'],
  ['Japanese', 'トマトは果物ですか、それとも野菜ですか？', '最も優れた回答'],
  ['Chinese', '番茄是水果还是蔬菜？', '最佳回答'],
  [
    'German with code',
    'Warum geht das nicht?\n```js\nconst x = y;\n```\nIch verstehe den Fehler nicht.',
    'Beste Antwort',
  ],
  ['German in few words', 'Und warum?', 'Strongest answer'],
  ['a language that has no headings', 'Is een tomaat een vrucht of een groente?', 'Strongest answer'],
  ['JSON', '{"nachricht": "Bitte senden Sie mir die Unterlagen bis morgen früh."}', 'Strongest answer'],
  ['code alone', '```python\nprint("Wie lange darf man gekochten Reis aufbewahren?")\n```', 'Strongest answer'],
  [
    'code without fences',
    '#include <stdio.h>\nint main(void) { puts("Hallo Welt, wie geht es?"); }',
    'Strongest answer',
  ],
  ['Persian', 'گوجه فرنگی میوه است یا سبزی؟', 'Strongest answer'],
  ['nothing', '', 'Strongest answer'],
])('%s: headings in the language of the message, where it is sure', async (_, message, heading) => {
  const run = { request: { includeExplanation: true, message }, degraded: [] };
  expect(await explanationText(run, [{ winner: 'Ada', lines: [] }])).toBe(`${heading}: Ada.`);
});

it('an explanation has headings, points with their marks, and the limitations of the run', async () => {
  const message = 'Wie lange darf man gekochten Reis aufbewahren?';
  const sections = [
    { winner: 'Ada', lines: ['Weil.'] },
    { title: 'Agreed', lines: ['Ja.'] },
    { title: 'Unique points', lines: ['Reis — confirmed', 'not confirmed'] },
    { title: 'Dissent', lines: [] },
  ];
  expect(await explanationText({ request: { includeExplanation: true, message }, degraded: ['x'] }, sections)).toBe(
    'Beste Antwort: Ada.\n\nWeil.\n\nÜbereinstimmungen:\n- Ja.\n\nEinzelne Punkte:\n- Reis — bestätigt\n- not confirmed\n\nDieser Lauf:\n- x',
  );
});

describe('withNames', () => {
  it.each([
    ['Candidate B is right.', 'Blaise is right.'],
    ['I prefer answer A to draft B.', 'I prefer Ada to Blaise.'],
    ['Drafts AA and A', 'Curie and A'],
    ['It is true (B), and [A] agrees.', 'It is true (Blaise), and [Ada] agrees.'],
    ['回答（A）が正しい。', '回答（Ada）が正しい。'],
    ['B: it is red', 'Blaise: it is red'],
    ['A > B', 'Ada > B'],
    ['A — it is red', 'Ada — it is red'],
    ['B', 'Blaise'],
    ['first line\nB2: second', 'first line\nDirac: second'],
    // These are no labels, or those of nobody.
    ['A tomato is a fruit.', 'A tomato is a fruit.'],
    ['Vitamin A is in it. Plan B was dropped.', 'Vitamin A is in it. Plan B was dropped.'],
    ['candidate C is unknown (C), candidate AB', 'candidate C is unknown (C), candidate AB'],
    ['the answer Absent, B-movies, type B2 is meant', 'the answer Absent, B-movies, type B2 is meant'],
  ])('%j reads %j', (text, named) => expect(withNames(text, NAMES)).toBe(named));

  it('takes a name as it is, also one with replacement patterns', () => {
    expect(withNames('candidate A', new Map([['A', "$& $1 $'"]]))).toBe("$& $1 $'");
  });

  it.each([
    ['labels', 'A\n'.repeat(200_000)],
    ['brackets', '['.repeat(500_000)],
    ['blanks behind a label', `A${' '.repeat(500_000)}x`],
    ['nouns', 'candidate '.repeat(50_000)],
  ])('comes to an end with very many %s', (_, text) => expect(withNames(text, new Map())).toBe(text));
});
