import type { Contributor } from '../panel/contributors';
import { type Agreement, ballotsAgree, revisionsAgree, verdictsAgree } from './agreement';
import { answersAgree, textsAgree } from './answers-agree';

/** Planted panels, with shares worked out by hand: equal pairs by all pairs. */

const ofTexts = (...texts: readonly string[]): Agreement | undefined =>
  textsAgree(
    texts.map((text) => ({ text })),
    undefined,
  );
const chain = (answer: string): string =>
  `1. Some steps,\n2. in words of ${answer.length} letters.\n\nANSWER: ${answer}`;

describe('texts with final answers', () => {
  it.each<[rule: string, texts: readonly string[], share: number, words: string]>([
    ['all equal', ['42', '42.', '**42**'].map(chain), 1, 'All 3 final answers are the same.'],
    ['two to one', ['42', '42', '43'].map(chain), 0.3333, '2 of 3 final answers are the same.'],
    ['all different', ['42', '43', '44'].map(chain), 0, 'No two of 3 final answers are the same, word for word.'],
    ['two equal', ['yes', 'Yes!'], 1, 'Both final answers are the same.'],
    ['two different', ['yes', 'no'], 0, 'The 2 final answers are not the same, word for word.'],
    ['two to two', ['a', 'a', 'b', 'b'], 0.3333, '4 final answers fall into groups of 2, 2 that are the same.'],
  ])('%s', (_, texts, share, words) => {
    expect(ofTexts(...texts)).toEqual({ share, measuredOn: 'final_answers', words });
  });

  it('a text that is cut off gives none, and the others are compared', () => {
    const items = [...['42', '42'].map((text) => ({ text })), { text: '42', isCut: true }];
    const words = 'Both final answers are the same. One participant gave none.';
    expect(textsAgree(items, undefined)).toEqual({ share: 0.3333, measuredOn: 'final_answers', words });
    expect(textsAgree(items.slice(1), undefined)).toBeUndefined();
  });

  it.each<[rule: string, one: string, other: string]>([
    ['numbers with and without separators', '1,000', '1000.0'],
    ['a stated answer and that answer alone', chain('Paris'), 'Paris.'],
    ['answers in other scripts', '答案：北京', '北京。'],
    ['answers in Cyrillic, in another case', 'Ответ: Да', 'да'],
    ['JSON in another order and with other spaces', '{"a": 1, "b": [2]}', '```json\n{"b":[2],"a":1.0}\n```'],
    ['code but for spaces at line ends', '```py\nx = 1  \n```', '```python\nx = 1\n```'],
    ['prose, word by word', 'A long text.\n\nWith paragraphs.', ' A long text.\n\nWith paragraphs.\n'],
  ])('take as equal: %s', (_, one, other) => expect(ofTexts(one, other)).toMatchObject({ share: 1 }));

  it.each<[rule: string, one: string, other: string]>([
    ['units', '42 km', '42 m'],
    ['paraphrases of a stated answer', chain('half past twelve'), chain('12:30')],
    ['code in another case', '```\nX = 1\n```', '```\nx = 1\n```'],
    ['indents of code', '```\nif x:\n  y\n```', '```\nif x:\ny\n```'],
    ['a number and the same digits as a text of JSON', '{"a": 1}', '{"a": "1"}'],
  ])('take as different: %s', (_, one, other) => expect(ofTexts(one, other)).toMatchObject({ share: 0 }));

  it.each<[rule: string, texts: readonly string[]]>([
    ['one text', ['42']],
    ['no text', []],
    ['paraphrases in prose', ['Yes.\nIt has seeds.', 'It is one.\nThe seeds tell.']],
    ['one of them prose', ['42', '42', 'Well.\nThat depends.']],
    ['a sentence that runs on', ['x'.repeat(41), 'y'.repeat(41)]],
    ['a stated answer that runs on', [chain('x'.repeat(201)), chain('y'.repeat(201))]],
    ['code with words around it', ['Here:\n```\nx\n```\nDone.', 'So:\n```\nx\n```\nDone.']],
    ['two blocks of code', ['```\na\n```\n```\nb\n```', '```\na\n```\n```\nc\n```']],
  ])('are not compared: %s', (_, texts) => expect(ofTexts(...texts)).toBeUndefined());
});

describe('final answers that were asked for', () => {
  it('one that is missing agrees with nobody, and is told', () => {
    expect(answersAgree(['5', '5', undefined])).toEqual({
      share: 0.3333,
      measuredOn: 'final_answers',
      words: 'Both final answers are the same. One participant gave none.',
    });
    expect(answersAgree(['5', '5', undefined, undefined])?.words).toContain('2 participants gave none.');
  });
});

describe('texts that are to be JSON', () => {
  const form = { name: 'verdict', schema: {} };
  const ofJson = (...texts: readonly string[]) =>
    textsAgree(
      texts.map((text) => ({ text })),
      form,
    );

  it.each<[rule: string, texts: readonly string[], share: number, words: string]>([
    [
      'all equal, with prose around one',
      ['{"a": 1, "b": 2}', 'So:\n{"b": 2, "a": 1}', '{"a":1.0,"b":2}'],
      1,
      'All 3 candidates have the same value at 2 of 2 places of the JSON.',
    ],
    // Of three pairs all agree on `a`, one on `b`: (1 + 1/3) / 2.
    [
      'one place two to one',
      ['{"a": 1, "b": 2}', '{"a": 1, "b": 2}', '{"a": 1, "b": 3}'],
      0.6667,
      'All 3 candidates have the same value at 1 of 2 places of the JSON.',
    ],
    ['all different', ['{"a": 1}', '{"a": 2}'], 0, 'Both candidates have the same value at 0 of 1 place of the JSON.'],
    ['other names', ['{"a": 1}', '{"b": 1}'], 0, 'Both candidates have the same value at 0 of 2 places of the JSON.'],
    // Only the pair of the first two can agree: 1 of 3.
    [
      'one without JSON',
      ['{"a": 1}', '{"a": 1}', 'It is 1.'],
      0.3333,
      'All 3 candidates have the same value at 0 of 1 place of the JSON.',
    ],
  ])('%s', (_, texts, share, words) => {
    expect(ofJson(...texts)).toEqual({ share, measuredOn: 'json_values', words });
  });

  it('are not compared where they are too long, or the name of their only value is', () => {
    const long = JSON.stringify({ a: 'x'.repeat(30_000) });
    expect(ofJson(...Array(16).fill(long))).toMatchObject({ share: 1 });
    expect(ofJson(...Array(17).fill(long))).toBeUndefined();
    const named = JSON.stringify({ ['x'.repeat(100_000)]: 1 });
    expect(ofJson(named, named)).toBeUndefined();
  });
});

describe('ballots', () => {
  /** A letter for each text, best first; nobody votes for its own. By place the voters are a, b, c and d. */
  const of = (...ballots: readonly string[]) => ballotsAgree(ballots.map((ballot) => [...ballot]));
  const NOBODY = 'No two ballots put the same text first.';

  it.each<[rule: string, ballots: readonly string[], share: number, words: string]>([
    ['all for one', ['bc', 'ac', 'ba'], 1, 'All of the 2 who could vote for it put the same text first.'],
    ['the same, swapped: in a ring', ['cb', 'ac', 'ba'], 0, NOBODY],
    [
      'of four, all for one',
      ['bcd', 'acd', 'bad', 'bca'],
      1,
      'All of the 3 who could vote for it put the same text first.',
    ],
    // a, c and d could vote for b: one of their three pairs does.
    [
      'of four, two to one',
      ['bcd', 'acd', 'bad', 'cba'],
      0.3333,
      '2 of the 3 who could vote for it put the same text first.',
    ],
    ['of four, all different', ['bcd', 'cda', 'dab', 'abc'], 0, NOBODY],
    ['one who did not vote', ['bc', 'ac', ''], 0, NOBODY],
  ])('%s', (_, ballots, share, words) => {
    expect(of(...ballots)).toEqual({ share, measuredOn: 'ballots', words });
  });

  it('are none to compare where no text is on two of them', () => {
    expect(of()).toBeUndefined();
    expect(of('bc')).toBeUndefined();
    expect(of('b', 'a')).toBeUndefined();
  });
});

describe('revisions', () => {
  const of = (...revisions: readonly (Contributor['lastRevision'] | 'none')[]) =>
    revisionsAgree(revisions.map((one) => (one === 'none' ? {} : { lastRevision: one }) as Contributor));

  it.each<[rule: string, agreement: Agreement | undefined, share: number, words: string]>([
    ['all kept', of('kept', 'kept'), 1, '2 of 2 participants left their text as it was, having read the others’.'],
    [
      'one of three',
      of('kept', 'changed', 'changed'),
      0.3333,
      '1 of 3 participants left their text as it was, having read the others’.',
    ],
    ['none', of('changed', 'changed'), 0, 'None of 2 participants left their text as it was, having read the others’.'],
  ])('%s', (_, agreement, share, words) => expect(agreement).toEqual({ share, measuredOn: 'revisions', words }));

  it('count only of those who were asked', () => {
    expect(of('kept', 'none')).toBeUndefined();
    expect(of('none', 'none')).toBeUndefined();
  });
});

describe('verdicts', () => {
  it.each<[one: string | undefined, other: string | undefined, share: number, words: string]>([
    ['proposition', 'proposition', 1, 'In both orders of reading the verdict is the same: the proposition wins.'],
    [undefined, undefined, 1, 'In both orders of reading the verdict is the same: neither side wins.'],
    ['proposition', 'opposition', 0, 'The two verdicts differ: the order in which the sides are read decides.'],
    ['proposition', undefined, 0, 'The two verdicts differ: the order in which the sides are read decides.'],
  ])('%s and %s', (one, other, share, words) => {
    expect(verdictsAgree([one, other])).toEqual({ share, measuredOn: 'verdicts', words });
  });
});
