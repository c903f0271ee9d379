import type { Chain } from '../../src/ensemble/strategies/chain-of-thought/chain';
import type { Revision } from '../../src/ensemble/strategies/competitive-refinement/ballot';
import type { ReplyRow } from './reply-shapes';

/** Texts that stand before a last line. */
const BODIES = [
  'A berry is a fruit.',
  '# Berries\n\n- one\n- two',
  'Eine Beere ist eine Frucht.\n\nMehr dazu unten.',
  '番茄是一种浆果。',
  '```js\nconst REVISION = 1;\n```',
  'It says "REVISION: kept" somewhere in a sentence.',
];

/** How models write `KEYWORD: word` when told to end with that line. */
const LINES = (keyword: string, word: string): string[] => [
  `${keyword}: ${word}`,
  `${keyword}:${word}`,
  `${keyword} : ${word}`,
  `${keyword}：${word}`,
  `**${keyword}:** ${word}`,
  `**${keyword}**: ${word}`,
  `**${keyword}: ${word}**`,
  `*${keyword}:* *${word}*`,
  `_${keyword}: ${word}_`,
  `\`${keyword}: ${word}\``,
  `"${keyword}: ${word}"`,
  `“${keyword}: ${word}”`,
  `> ${keyword}: ${word}`,
  `- ${keyword}: ${word}`,
  `### ${keyword}: ${word}`,
  `${keyword}: "${word}"`,
  `${keyword}: **${word}**`,
  `${keyword}: ${word}.`,
  `${keyword.toLowerCase()}: ${word.toUpperCase()}`,
  `${keyword}: ${word}\r`,
  `  ${keyword}: ${word}  `,
];

const REMARKS = ['I hope this helps!', '---', '```'];

/** A body with its last line, and both with a remark behind. */
function ended<T>(keyword: string, word: string, means: (text: string) => T): ReplyRow<T>[] {
  return BODIES.flatMap((body) =>
    LINES(keyword, word).map((line) => ({ reply: `${body}\n\n${line}`, means: means(body) })),
  ).concat(
    REMARKS.map((remark) => ({
      reply: `${BODIES[0]}\n${keyword}: ${word}\n${remark}`,
      means: means(`${BODIES[0]}\n${remark}`),
    })),
  );
}

const trailed = (word: string | undefined) => (text: string) => ({ text, word });

/** Last lines of a debate (`STANCE`) and an expert panel (`DISSENT`). */
export const TRAILERS: readonly ReplyRow<{ readonly text: string; readonly word: string | undefined }>[] = [
  ...ended('STANCE', 'concedes', trailed('concedes')),
  ...ended('STANCE', 'holds', trailed('holds')),
  ...[...BODIES, 'My STANCE: holds', 'STANCE:', 'STANCE', 'STANCE: concedes\n1\n2\n3\n4'].map((reply) => ({
    reply,
    means: { text: reply, word: undefined },
  })),
];

const revised =
  (kept: boolean, ranking: readonly string[] = []) =>
  (text: string): Revision => ({ text, kept, ranking });
const BALLOTS: readonly (readonly [string, readonly string[]])[] = [
  ['B > A', ['B', 'A']],
  ['B>A', ['B', 'A']],
  ['B, A', ['B', 'A']],
  ['B，A', ['B', 'A']],
  ['B; A', ['B', 'A']],
  ['B A', ['B', 'A']],
  ['B then A', ['B', 'A']],
  ['B and A', ['B', 'A']],
  ['1. B 2. A', ['B', 'A']],
  ['1. B, 2. A', ['B', 'A']],
  ['Candidate B > Candidate A', ['B', 'A']],
  ['Draft B, Draft A', ['B', 'A']],
  ['**B** > **A**', ['B', 'A']],
  ['"B" > "A"', ['B', 'A']],
  ['[B, A]', ['B', 'A']],
  ['(B) (A)', ['B', 'A']],
  ['Ｂ > Ａ', ['B', 'A']],
  ['B -> A', ['B', 'A']],
  ['B → A', ['B', 'A']],
  ['B > A.', ['B', 'A']],
  ['B > A > C', ['B', 'A', 'C']],
  ['AA > B', ['AA', 'B']],
  ['B', ['B']],
  ['B = A', ['B', 'A']],
  ['B > A. I found B clearest', ['B', 'A']],
  ['B is the best', ['B']],
  ['none', []],
  ['', []],
  ['they are equal', []],
];

/** A reviser's last line, or two. */
export const REVISIONS: readonly ReplyRow<Revision>[] = [
  ...ended('REVISION', 'kept', revised(true)),
  ...ended('REVISION', 'changed', revised(false)),
  ...BALLOTS.flatMap(([ballot, ranking]) => [
    { reply: `Better.\nREVISION: changed; BALLOT: ${ballot}`, means: revised(false, ranking)('Better.') },
    { reply: `Same.\n**REVISION: kept; BALLOT: ${ballot}**`, means: revised(true, ranking)('Same.') },
    { reply: `Better.\nREVISION: changed\nBALLOT: ${ballot}`, means: revised(false, ranking)('Better.') },
    { reply: `Better.\n\n**REVISION:** changed\n**BALLOT**：${ballot}\n`, means: revised(false, ranking)('Better.') },
  ]),
  ...['unchanged', 'Unchanged', 'keep', 'no change', 'no changes', 'none'].map((word) => ({
    reply: `Same.\nREVISION: ${word}`,
    means: revised(true)('Same.'),
  })),
  ...['revised', 'updated', 'changed (fixed the date)', 'changed because the date was wrong'].map((word) => ({
    reply: `New.\nREVISION: ${word}`,
    means: revised(false)('New.'),
  })),
  ...[
    'No last line.',
    'The REVISION: kept line is missing.',
    'REVISION: kept\n1\n2\n3\n4',
    'REVISION: see above',
    '',
  ].map((reply) => ({ reply, means: revised(false)(reply) })),
];

const STEPS = '1. Six by seven.\n2. That is 42.';
const ANSWER_LINES = [
  'ANSWER: 42',
  'ANSWER:42',
  'ANSWER : 42',
  'ANSWER：42',
  '**ANSWER:** 42',
  '**Answer**: 42',
  '**ANSWER: 42**',
  '*Answer:* 42',
  '_Answer: 42_',
  '`ANSWER: 42`',
  '> ANSWER: 42',
  '- ANSWER: 42',
  '• Answer: 42',
  '### Answer: 42',
  '## **Answer:** 42',
  'Answer: **42**',
  'answer: 42',
  'FINAL ANSWER: 42',
  'Final answer: 42',
  '**Final Answer:** 42',
  '**Final Answer**: 42',
  'The final answer: 42',
  'The answer is: 42',
  'The final answer is: 42',
  'ANSWER:\n42',
  '**ANSWER:**\n\n42',
  '**ANSWER**:\n42',
  'ANSWER: `42`',
  'ANSWER: 42 ',
  'ANSWER: 42\r',
  'Antwort: 42',
  '**Antwort:** 42',
  'Réponse : 42',
  'Réponse finale : 42',
  'Respuesta: 42',
  'Respuesta final: 42',
  'Resposta: 42',
  'Risposta: 42',
  'Ответ: 42',
  '答案：42',
  '最终答案：42',
  '**答案**：42',
  '答え：42',
  '정답: 42',
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
  ['CHECK: verified', true, 'verified'],
  ['CHECK：verified', true, 'verified'],
  ['**CHECK:** verified', true, 'verified'],
  ['**CHECK**: verified', true, 'verified'],
  ['**CHECK: verified**', true, 'verified'],
  ['Check: Verified.', true, 'Verified.'],
  ['- CHECK: verified', true, 'verified'],
  ['CHECK: "verified"', true, '"verified"'],
  ['CHECK: all steps verified', true, 'all steps verified'],
  ['CHECK: All steps are verified', true, 'All steps are verified'],
  ['CHECK: verified, every step', true, 'verified, every step'],
  ['CHECK: step 3: divides by zero', false, 'step 3: divides by zero'],
  ['CHECK: Step 1: wrong', false, 'Step 1: wrong'],
  ['CHECK: not verified', false, 'not verified'],
  ['CHECK: unverified', false, 'unverified'],
  ['CHECK: could not be verified', false, 'could not be verified'],
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
];

const SAME: readonly (readonly string[])[] = [
  [
    '42',
    '42.',
    ' 42 ',
    '**42**',
    '`42`',
    '$42$',
    '４２',
    '42!',
    '\\boxed{42}',
    '$\\boxed{42}$',
    '\\(42\\)',
    '"42"',
    '“42”',
    '«42»',
    '42。',
    '42;',
    '42 .',
    '_42_',
    "'42'",
    '*42*',
    '\\[42\\]',
    '「42」',
    '\\text{42}',
  ],
  [
    'yes',
    'Yes',
    'YES',
    'Yes.',
    '**Yes**',
    '“Yes”',
    'yes!',
    '  yes',
    'ＹＥＳ',
    '`yes`',
    "'Yes'",
    'Yes;',
    '_yes_',
    '«Yes»',
    '*Yes.*',
    'yes\n',
    '“yes.”',
    '\\text{Yes}',
    '$yes$',
    'Yes。',
  ],
  [
    '1,234,567',
    '1234567',
    '**1,234,567**',
    '1,234,567.',
    '１２３４５６７',
    '$1,234,567',
    '"1,234,567"',
    '\\boxed{1,234,567}',
    '`1234567`',
    '1234567 ',
    '1234567!',
  ],
  ['forty two', 'Forty  two', 'FORTY TWO.', 'forty\ttwo', '**Forty two**', 'forty\ntwo', '“forty two”', 'Forty two!'],
  ['x = 1', 'X = 1', '$x = 1$', '**x = 1**', '`x = 1`.', '\\(x = 1\\)', 'x  =  1'],
  ['paris', 'Paris', 'Paris.', '**Paris**', '"Paris"', 'PARIS', '_Paris_', 'Paris !'],
  ['北京', '北京。', '“北京”', '**北京**', ' 北京 '],
  ['-1', '-1.', '**-1**', '\\boxed{-1}', '$-1$', '－1', '−1', '-1.0'],
  ['2.5', '2.50', '+2.5', '2.500.'],
  ['50%', '50.0%', '50 %'],
];
const APART: readonly (readonly [string, string])[] = [
  ['42', '43'],
  ['42', '4.2'],
  ['1,5', '15'],
  ['-1', '1'],
  ['yes', 'no'],
  ['x = 1', 'x = 2'],
  ['paris', 'berlin'],
  ['a b', 'ab'],
  ['1/2', '12'],
  ['42 km', '42 m'],
  ['42', '42%'],
  ['007', '7'],
  ['10', '100'],
  ['version 3.10', 'version 3.1'],
  ['2^3', '23'],
  ['北京', '上海'],
];

/** Two final answers, and whether they are the same but for their wording. */
export const ANSWER_PAIRS: readonly (readonly [string, string, boolean])[] = [
  ...SAME.flatMap((group) => group.map((each) => [group[0] ?? '', each, true] as const)),
  ...SAME.flatMap((group, index) =>
    SAME.slice(index + 1).map((other) => [group[0] ?? '', other[0] ?? '', false] as const),
  ),
  ...APART.map(([one, other]) => [one, other, false] as const),
];

const HEADINGS = [
  'RESPONSES TO FINDINGS',
  'Responses to findings',
  '**RESPONSES TO FINDINGS**',
  '## RESPONSES TO FINDINGS',
  '### Responses to findings:',
  '**Responses to Findings:**',
  'RESPONSES TO FINDINGS:',
  'RESPONSES TO FINDINGS：',
  '"RESPONSES TO FINDINGS"',
  '“RESPONSES TO FINDINGS”',
  '`RESPONSES TO FINDINGS`',
  '> RESPONSES TO FINDINGS',
  '- RESPONSES TO FINDINGS',
  '__RESPONSES TO FINDINGS__',
  'RESPONSES TO THE FINDINGS',
  'RESPONSE TO FINDINGS',
  '  RESPONSES TO FINDINGS  ',
  '*RESPONSES TO FINDINGS*',
  '# **RESPONSES TO FINDINGS**',
  '## Responses to the findings',
];
const BELOW = ['1. fixed: the date', '1. fixed\n2. rebutted: 91 is 7 × 13', '- 1: fixed', '1. behoben', '1. 已修正'];

/** A defender's answer, and what it says to findings. */
export const DEFENCES: readonly ReplyRow<{ readonly text: string; readonly responses: string }>[] = [
  ...HEADINGS.flatMap((heading) =>
    BELOW.map((responses) => ({
      reply: `${BODIES[1]}\n\n${heading}\n\n${responses}`,
      means: { text: BODIES[1] ?? '', responses },
    })),
  ),
  ...HEADINGS.map((heading) => ({
    reply: `Better.\r\n${heading}\r\n1. fixed`.replaceAll('  \r', '\r'),
    means: { text: 'Better.', responses: '1. fixed' },
  })),
  ...BODIES.map((reply) => ({ reply, means: { text: reply, responses: '' } })),
  { reply: 'Better.\nRESPONSES TO FINDINGS: 1. fixed', means: { text: 'Better.', responses: '1. fixed' } },
  {
    reply: 'My RESPONSES TO FINDINGS are below.\nNone.',
    means: { text: 'My RESPONSES TO FINDINGS are below.\nNone.', responses: '' },
  },
];
