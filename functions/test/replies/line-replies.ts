import type { Chain } from '../../src/ensemble/strategies/chain-of-thought/chain';
import type { ReplyRow } from './reply-shapes';

/** Texts that stand beside a status line. */
const BODIES = [
  'A berry is a fruit.',
  '# Berries\n\n- one\n- two',
  'Eine Beere ist eine Frucht.\n\nMehr dazu unten.',
  '番茄是一种浆果。',
  '```js\nconst REVISION = 1;\n```',
  'It says "REVISION: kept" somewhere in a sentence.',
];

/** Spellings of a line `KEYWORD: word` that was asked for. */
const LINES = (keyword: string, word: string): string[] => [
  ...[': ', ':', ' : ', '：'].map((colon) => keyword + colon + word),
  ...['**', '_', '`', '"', '“'].map((mark) => `${mark}${keyword}: ${word}${mark === '“' ? '”' : mark}`),
  ...['> ', '- ', '### ', '  '].map((mark) => `${mark}${keyword}: ${word}`),
  ...['.', '\r', '  '].map((end) => `${keyword}: ${word}${end}`),
  ...[`**${keyword}:** ${word}`, `**${keyword}**: ${word}`, `*${keyword}:* *${word}*`, `${keyword}: "${word}"`],
  ...[`${keyword}: **${word}**`, `${keyword.toLowerCase()}: ${word.toUpperCase()}`],
];

const REMARKS = ['I hope this helps!', '---', '```'];

/** Comments of programming languages, open and closed. */
const COMMENTS = (line: string): string[] => [
  ...['//', '#', '--', ';', '%'].map((mark) => `${mark} ${line}`),
  ...[`/* ${line} */`, `<!-- ${line} -->`, `(* ${line} *)`, `""" ${line} """`, `{- ${line} -}`],
];
const CODE = 'const year = 1969;\nprint(year);';

/** Replies with their status line: before the text as asked for, behind it, behind it with a remark, in code. */
function withStatus<T>(keyword: string, word: string, means: (text: string) => T): ReplyRow<T>[] {
  const status = `${keyword}: ${word}`;
  return [
    ...BODIES.flatMap((body) =>
      LINES(keyword, word).flatMap((line) => [
        { reply: `${line}\n\n${body}`, means: means(body) },
        { reply: `${body}\n\n${line}`, means: means(body) },
      ]),
    ),
    ...REMARKS.map((remark) => ({
      reply: `${BODIES[0]}\n${status}\n${remark}`,
      means: means(`${BODIES[0]}\n${remark}`),
    })),
    ...COMMENTS(status).flatMap((comment) => [
      { reply: `${comment}\n${CODE}`, means: means(CODE) },
      { reply: `${CODE}\n${comment}`, means: means(CODE) },
      { reply: `\`\`\`js\n${comment}\n${CODE}\n\`\`\``, means: means(`\`\`\`js\n${CODE}\n\`\`\``) },
      { reply: `\`\`\`js\n${CODE}\n${comment}\n\`\`\``, means: means(`\`\`\`js\n${CODE}\n\`\`\``) },
    ]),
    ...BODIES.flatMap((body) => [
      { reply: `\`\`\`\n${status}\n\`\`\`\n\n${body}`, means: means(body) },
      { reply: `${body}\n\n~~~text\n${status}\n~~~`, means: means(body) },
    ]),
    { reply: status, means: means('') },
    { reply: `\`\`\`\n${status}\n\`\`\``, means: means('') },
  ];
}

const trailed = (word: string | undefined) => (text: string) => ({ text, word });

/** Stances of a debate. */
export const TRAILERS: readonly ReplyRow<{ readonly text: string; readonly word: string | undefined }>[] = [
  ...withStatus('STANCE', 'concedes', trailed('concedes')),
  ...withStatus('STANCE', 'holds', trailed('holds')),
  ...['My STANCE: holds', 'STANCE', '1\nSTANCE: concedes\n1\n2\n3\n4'].map((reply) => ({
    reply,
    means: { text: reply, word: undefined },
  })),
];

const revised =
  (ranking: readonly string[] = []) =>
  (text: string) => ({ text, ranking });
const kept =
  (ranking: readonly string[] = []) =>
  () => ({ text: '', ranking });
/** Words of a ballot, by the ranking they mean. */
const BALLOTS: readonly (readonly [readonly string[], readonly string[]])[] = [
  [
    ['B', 'A'],
    ['B > A', 'B>A', 'B, A', 'B，A', 'B; A', 'B A', 'B then A', 'B and A', '1. B 2. A', '1. B, 2. A'],
  ],
  [
    ['B', 'A'],
    ['Candidate B > Candidate A', 'Draft B, Draft A', '**B** > **A**', '"B" > "A"', '[B, A]', '(B) (A)'],
  ],
  [
    ['B', 'A'],
    ['Ｂ > Ａ', 'B -> A', 'B → A', 'B > A.', 'B = A', 'B > A. I found B clearest'],
  ],
  [['B', 'A', 'C'], ['B > A > C']],
  [['AA', 'B'], ['AA > B']],
  [['B'], ['B', 'B is the best']],
  [[], ['none', '', 'they are equal']],
];

/** Remarks that a text stays as it is, and texts that look like one. */
const STANDS = [
  ...'I see nothing that needs changing.|Nothing in my answer needs changing.|I see no reason to change my answer.'.split(
    '|',
  ),
  ...'There is no need to revise my opinion.|I have nothing to add.|Nothing changes.|No changes needed.'.split('|'),
  ...'No further changes are necessary.|**No changes.**|My answer stands.|My opinion remains unchanged.'.split('|'),
  ...'My solution stays the same. I have checked every step.|I stand by my answer.|I maintain my position.'.split('|'),
  ...'I keep my draft as it is.|I have read the others. My draft stands.|Same as before.|Unchanged'.split('|'),
  ...'Ich bleibe bei meiner Antwort.|Keine Änderungen nötig.|Je maintiens ma réponse.|Sin cambios.|无需修改。'.split(
    '|',
  ),
  '変更はありません。',
];
const STATES = [
  ...'42|Nothing beats Paris in June.|No.|No change in temperature is to be expected.|My answer is 42.'.split('|'),
  ...'I changed my answer: it is 42.|I maintain that it is 42.|The answer is right in 42 cases.'.split('|'),
  ...'Keep the receipt.|I have checked it. It is 42.|It is 42. Nothing needs changing.'.split('|'),
  'Nothing needs changing.\nIt is 42.',
  'Nothing needs changing. It is 42. It has always been. It is what it is.',
  `Nothing needs changing${' in what I have said'.repeat(20)}.`,
];

/** A reviser's status line, or two. */
export const REVISIONS: readonly ReplyRow<{ readonly text: string; readonly ranking: readonly string[] }>[] = [
  ...STANDS.map((reply) => ({ reply, means: kept()() })),
  ...STATES.map((reply) => ({ reply, means: revised()(reply) })),
  ...withStatus('REVISION', 'kept', kept()),
  ...withStatus('REVISION', 'changed', revised()),
  ...BALLOTS.flatMap(([ranking, ballots]) => ballots.map((ballot) => ({ ballot, ranking }))).flatMap(
    ({ ballot, ranking }) => [
      { reply: `REVISION: changed; BALLOT: ${ballot}\n\nBetter.`, means: revised(ranking)('Better.') },
      { reply: `Better.\nREVISION: changed; BALLOT: ${ballot}`, means: revised(ranking)('Better.') },
      { reply: `**REVISION: kept; BALLOT: ${ballot}**\nSame.`, means: kept(ranking)() },
      { reply: `Better.\nREVISION: changed\nBALLOT: ${ballot}`, means: revised(ranking)('Better.') },
      { reply: `**REVISION:** changed\n**BALLOT**：${ballot}\n\nBetter.\n`, means: revised(ranking)('Better.') },
    ],
  ),
  ...['unchanged', 'Unchanged', 'keep', 'no change', 'no changes', 'none'].map((word) => ({
    reply: `REVISION: ${word}\nI have read the others.`,
    means: kept()(),
  })),
  ...['revised', 'updated', 'changed (fixed the date)', 'changed because the date was wrong'].map((word) => ({
    reply: `REVISION: ${word}\nNew.`,
    means: revised()('New.'),
  })),
  ...['No status line.', 'The REVISION: kept line is missing.', '1\nREVISION: kept\n1\n2\n3\n4'].map((reply) => ({
    reply,
    means: revised()(reply),
  })),
  ...['', 'REVISION: see above', 'REVISION: changed (the year was wrong)'].map((reply) => ({ reply, means: kept()() })),
];

const STEPS = '1. Six by seven.\n2. That is 42.';
const ANSWER_LINES = [
  ...'ANSWER: 42|ANSWER:42|ANSWER : 42|ANSWER：42|**ANSWER:** 42|**Answer**: 42|**ANSWER: 42**|*Answer:* 42'.split('|'),
  ...'`ANSWER: 42`|ANSWER: 42 |### Answer: 42|> ANSWER: 42|- ANSWER: 42|• Answer: 42|## **Answer:** 42|Answer: **42**|FINAL ANSWER: 42'.split(
    '|',
  ),
  ...'### Final Answer: 42 *|ANSWER: 42\r|_answer: 42_|The answer is: 42|Correct answer: 42|ANSWER: `42`|answer: 42|Respuesta: 42'.split(
    '|',
  ),
  ...'Antwort: 42|Réponse : 42|Réponse finale : 42|Respuesta final: 42|Resposta: 42|Risposta: 42|Ответ: 42'.split('|'),
  ...'答案：42|最终答案：42|**答案**：42|答え：42|정답: 42'.split('|'),
];
const NO_ANSWERS = [
  STEPS,
  `${STEPS}\nANSWER:`,
  `${STEPS}\n**ANSWER:** **`,
  'ANSWER: 42\n1\n2\n3\n4',
  'The ANSWER is in step 2',
  "I'm sorry, but I can't solve this.",
  '',
  'An answer would be 42',
];
const CHECKS: readonly (readonly [string, boolean, string])[] = [
  ...'CHECK: verified|CHECK：verified|**CHECK:** verified|**CHECK**: verified|- CHECK: verified|CHECK: "verified"'
    .split('|')
    .map((line) => [line, true, 'verified'] as const),
  ...['Verified.', 'all steps verified', 'All steps are verified', 'verified, every step'].map(
    (finding) => [`CHECK: ${finding}`, true, finding] as const,
  ),
  ...['step 3: divides by zero', 'Step 1: wrong', 'not verified', 'unverified', 'could not be verified'].map(
    (finding) => [`CHECK: ${finding}`, false, finding] as const,
  ),
];

type AnswerAndCheck = Pick<Chain, 'answer' | 'check'>;

/** The end of a worked solution. */
export const CHAINS: readonly ReplyRow<AnswerAndCheck>[] = [
  ...ANSWER_LINES.flatMap((line) => [
    { reply: `${STEPS}\n${line}`, means: { answer: '42', check: undefined } },
    {
      reply: `${STEPS}\nCHECK: verified\n${line}`,
      means: { answer: '42', check: { verified: true, finding: 'verified' } },
    },
  ]),
  ...CHECKS.flatMap(([line, verified, finding]) => [
    { reply: `${STEPS}\n${line}\nANSWER: 42`, means: { answer: '42', check: { verified, finding } } },
    { reply: `${STEPS}\nANSWER: 42\n${line}`, means: { answer: '42', check: { verified, finding } } },
  ]),
  ...NO_ANSWERS.map((reply) => ({ reply, means: { answer: undefined, check: undefined } })),
  { reply: `${STEPS}\nANSWER: 42\n\nI hope that helps!`, means: { answer: '42', check: undefined } },
  { reply: `${STEPS}\nANSWER: 41\nANSWER: 42`, means: { answer: '42', check: undefined } },
  { reply: 'CHECK: verified', means: { answer: undefined, check: { verified: true, finding: 'verified' } } },
  {
    reply: '1. x\n\n**CHECK: verified**\n\n**REVISION: changed (a slip)**\n\n**ANSWER: 42**\n\nI hope that helps!',
    means: { answer: '42', check: { verified: true, finding: 'verified' } },
  },
  // Checks count at the beginning and the end only, and the first of them.
  {
    reply: 'CHECK: step 1: wrong\n1\nCHECK: verified\n2\n3\n4\nCHECK: verified\nANSWER: 42',
    means: { answer: '42', check: { verified: false, finding: 'step 1: wrong' } },
  },
];

const SAME: readonly (readonly string[])[] = [
  [
    '42',
    ...'42.| 42 |**42**|`42`|$42$|４２|42!|\\boxed{42}|$\\boxed{42}$|\\(42\\)|“42”|«42»|42。|_42_|\\[42\\]|「42」|\\text{42}'.split(
      '|',
    ),
  ],
  [
    'yes',
    ...'Yes|YES|**Yes**|“Yes”|yes!|  yes|ＹＥＳ|`yes`|Yes;|_yes_|«Yes»|*Yes.*|yes\n|“yes.”|\\text{Yes}|$yes$|Yes。'.split(
      '|',
    ),
  ],
  ['1,234,567', ...'1234567|**1,234,567**|1,234,567.|１２３４５６７|$1,234,567|\\boxed{1,234,567}|1234567 '.split('|')],
  ['forty two', ...'Forty  two|FORTY TWO.|forty\ttwo|**Forty two**|forty\ntwo|“forty two”'.split('|')],
  ['x = 1', ...'X = 1|$x = 1$|**x = 1**|`x = 1`.|\\(x = 1\\)|x  =  1'.split('|')],
  ['paris', ...'Paris|Paris.|**Paris**|"Paris"|PARIS|_Paris_|Paris !'.split('|')],
  ['北京', ...'北京。|“北京”|**北京**| 北京 '.split('|')],
  ['-1', ...'-1.|**-1**|\\boxed{-1}|$-1$|－1|−1|-1.0'.split('|')],
  ['2.5', '2.50', '+2.5', '2.500.'],
  ['50%', '50.0%', '50 %'],
];
const APART =
  '42≠43 42≠4.2 1,5≠15 -1≠1 yes≠no paris≠berlin 1/2≠12 42≠42% 007≠7 10≠100 2^3≠23 北京≠上海 3.10a≠3.1a 42km≠42m'
    .split(' ')
    .map((pair) => pair.split('≠'));

/** Two final answers, and whether they are the same but for their wording. */
export const ANSWER_PAIRS: readonly (readonly [string, string, boolean])[] = [
  ...SAME.flatMap((group) => group.map((each) => [group[0] ?? '', each, true] as const)),
  ...SAME.flatMap((group, index) =>
    SAME.slice(index + 1).map((other) => [group[0] ?? '', other[0] ?? '', false] as const),
  ),
  ...APART.map(([one = '', other = '']) => [one, other, false] as const),
];

const FINDINGS: readonly (readonly [lines: string, responses: string])[] = [
  ['FINDING 1: fixed', '1: fixed'],
  ['FINDING 1: fixed\nFINDING 2: rebutted (91 is 7 × 13)', '1: fixed\n2: rebutted (91 is 7 × 13)'],
  ['**FINDING 1:** fixed\n\n**FINDING 2:** fixed', '1: fixed\n2: fixed'],
  ['- FINDING 1: fixed\n- Finding 2: rebutted (no)', '1: fixed\n2: rebutted (no)'],
  ['FINDING #1: fixed', '1: fixed'],
  ['FINDING 1 : fixed', '1: fixed'],
  ['FINDING 12：behoben', '12: behoben'],
  ['// FINDING 1: fixed', '1: fixed'],
  ['```\nFINDING 1: fixed\n```', '1: fixed'],
];

/** A defender's answer, and its words on the findings. */
export const DEFENCES: readonly ReplyRow<{ readonly text: string; readonly responses: string }>[] = [
  ...FINDINGS.flatMap(([lines, responses]) =>
    BODIES.flatMap((body) => [
      { reply: `${lines}\n\n${body}`, means: { text: body, responses } },
      { reply: `${body}\n\n${lines}`, means: { text: body, responses } },
    ]),
  ),
  ...FINDINGS.map(([reply, responses]) => ({ reply, means: { text: '', responses } })),
  ...BODIES.map((reply) => ({ reply, means: { text: reply, responses: '' } })),
  { reply: 'FINDING 1: rebutted (it is right)\r\n', means: { text: '', responses: '1: rebutted (it is right)' } },
  {
    reply: 'My FINDING 1: fixed is below.\nNone.',
    means: { text: 'My FINDING 1: fixed is below.\nNone.', responses: '' },
  },
];
