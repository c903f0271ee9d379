import { flawsIn, runChecks } from './answer-checks';
import { LANGUAGES, type LanguageCode, languageRule } from './language-rule';
import { maxWordsRule, regexRule, schemaRule } from './rules';

/** Each rule on texts whose finding is plain. */

describe('maxWords', () => {
  it.each<[text: string, count: number]>([
    ['One two three.', 3],
    ['# One\n\n- two — three', 3],
    ['One two three four', 4],
    ['', 0],
    ['One', 1],
    ['3.14 is pi', 3],
    // Without spaces.
    ['これは果物です', 4],
    ['it’s not yours', 3],
  ])('%j has %d words', (text, count) => {
    const words = `it has ${count} ${count === 1 ? 'word' : 'words'}`;
    const finding =
      count > 3 ? { passed: false, words: `${words}, and at most 3 are allowed` } : { passed: true, words };
    expect(maxWordsRule(3).check(text)).toEqual(finding);
  });

  it('counts no further than it has to', () => {
    const words = 'it has more than 10000 words, and at most 1 are allowed';
    expect(maxWordsRule(1).check('a '.repeat(2_000_000))).toEqual({ passed: false, words });
  });

  it('does not vouch for a text that is too long to be looked through', () => {
    expect(maxWordsRule(3).check(`one${' '.repeat(300_000)}`).passed).toBeNull();
  });
});

describe('regex', () => {
  it.each<[pattern: string, text: string, passed: boolean]>([
    ['^- ', '- a list', true],
    ['^- ', 'no list', false],
    ['(?m)^- ', 'A list:\n- one', true],
    ['\\d{4}-\\d{2}', 'in 2026-11', true],
    ['(?i)berry', 'A BERRY', true],
    ['^\\p{Han}+$', '番茄', true],
    // Either would take a backtracking engine longer than the universe has.
    ['^(a+)+$', `${'a'.repeat(20_000)}!`, false],
    ['^(?:a|aa|a*)*b$', 'a'.repeat(20_000), false],
  ])('%j on %.20j', async (pattern, text, passed) => {
    const rule = await regexRule(pattern);
    expect(typeof rule === 'string' ? rule : rule.check(text).passed).toBe(passed);
  });

  it.each<[pattern: string, rule: RegExp]>([
    ['(a)\\1', /^not a regular expression of RE2: invalid escape sequence/],
    ['a{2,1}', /^not a regular expression of RE2: invalid repeat count/],
    ['[b-a]', /^not a regular expression of RE2: invalid character class range/],
    ['(?:a{50}){50}', /^not a regular expression of RE2: invalid repeat count|^too large/],
    ['a{1000}b{1000}', /^too large: /],
  ])('refuses %j', async (pattern, rule) => expect(await regexRule(pattern)).toMatch(rule));

  it('does not vouch for what would take long', async () => {
    const rule = await regexRule('(?s)^.*(a.{50}b|b.{50}a).{100}Q');
    expect(typeof rule !== 'string' && rule.check('ab'.repeat(50_000))).toEqual({
      passed: null,
      words: 'it is too long for this regular expression',
    });
  });
});

describe('language', () => {
  const TEXTS: Readonly<Partial<Record<LanguageCode, string>>> = {
    en: 'The tomato is a fruit in botany, but most cooks call it a vegetable, and they are right as well: both words serve.',
    de: 'Die Tomate ist botanisch eine Beere, in der Küche aber gilt sie als Gemüse, und beide haben damit auf ihre Weise recht.',
    fr: 'La tomate est un fruit pour les botanistes, mais un légume pour les cuisiniers, et tous ont raison à leur manière.',
    es: 'El tomate es un fruto para los botánicos, pero una verdura para los cocineros, y todos tienen razón a su manera.',
    it: 'Il pomodoro è un frutto per i botanici, ma una verdura per i cuochi, e hanno tutti ragione a modo loro.',
    ru: 'Помидор для ботаников ягода, а для поваров овощ.',
    ja: 'トマトは植物学では果物ですが、料理では野菜です。',
    zh: '番茄在植物学上是水果，但厨师认为它是蔬菜。',
    ar: 'الطماطم فاكهة عند علماء النبات، لكنها خضار عند الطهاة.',
  };
  const rows = Object.entries(TEXTS) as [LanguageCode, string][];

  it.each(rows)('%s is told from the others', async (code, text) => {
    for (const [asked] of rows) {
      const { passed, words } = (await languageRule(asked)).check(text);
      expect([asked, passed]).toEqual([asked, asked === code]);
      expect(words).toContain(`it is in ${LANGUAGES[code]}`);
    }
  });

  // The detector takes the first two for Portuguese and Italian, and the third for Russian, whose letters are others.
  it.each([
    'A tomato is a berry, says demo-ada.',
    'The base URL of an SDK is the address of the service followed by one word.',
    'Every field, rule, limit and message of the API, as the service behaves today.',
  ])('a sentence too short to tell is not refused: %j', async (text) => {
    for (const code of ['en', 'it', 'fr'] as const) {
      expect((await languageRule(code)).check(text).passed).not.toBe(false);
    }
    expect((await languageRule('ru')).check(text).passed).toBe(false);
  });

  it.each([
    ['', null],
    ['42', null],
    ['```\nconst x = 1; // and so on, and on, and on\n```', null],
    [`${TEXTS.de}\n\n\`\`\`js\n// The code is in English, as all of it is, and there is a lot of it.\n\`\`\``, true],
  ])('%.10j: code and figures count for nothing', async (text, passed) => {
    expect((await languageRule('de')).check(text).passed).toBe(passed);
  });
});

describe('jsonSchema', () => {
  const rule = schemaRule({ type: 'object', required: ['year'], properties: { year: { type: 'integer' } } });

  it.each<[text: string, passed: boolean, words: string]>([
    ['{"year": 2026}', true, 'its JSON fits the schema'],
    ['Here:\n```json\n{"year": 2026}\n```', true, 'its JSON fits the schema'],
    ['{"year": "now"}', false, 'its JSON does not fit the schema: /year must be integer'],
    ['In 2026.', false, 'no JSON value is found in it'],
  ])('%j', (text, passed, words) => expect(rule.check(text)).toEqual({ passed, words }));

  it('does not vouch for a schema that has no end', () => {
    const endless = { anyOf: [{ items: { $ref: '#' } }, { items: { $ref: '#' } }], not: { $ref: '#' } };
    expect(schemaRule(endless).check('[]')).toMatchObject({ passed: null });
  });
});

it('several are told in order, each in its turn, and flaws are those that are known', async () => {
  const sizes: number[] = [];
  const inTurn = async <T>(size: number, work: () => T): Promise<T> => {
    sizes.push(size);
    return work();
  };
  const rules = [maxWordsRule(1), await languageRule('de'), schemaRule({})];
  const results = await runChecks({ rules, repairs: true }, 'Oh no', inTurn);
  expect(results.map(({ check, passed }) => [check, passed])).toEqual([
    ['maxWords', false],
    ['language', null],
    ['jsonSchema', false],
  ]);
  expect(flawsIn(results)).toEqual(['it has 2 words, and at most 1 are allowed', 'no JSON value is found in it']);
  expect(sizes).toEqual([5, 5, 5]);
});
