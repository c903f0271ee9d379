import { asWritten, DATA_RULE } from './fence';
import type { KnownMarks } from './mark-lines';
import { CopiedMarks, withoutCopiedMarks } from './without-copied-marks';

const NONCE = '012def';
const INVENTED = 'fed210';
/** A number alone is no word only if it is longer. */
const INVENTED_ALONE = '82295cef1253';
const RULE = asWritten(DATA_RULE, { nonce: NONCE });
const KNOWN: KnownMarks = {
  nonce: NONCE,
  usersWords: ['Is it so? Say once more what the user has said, too.'],
  task: [
    'Write the answer.',
    'You chair the panel of experts with great care. Say once more what the user has said, too. Judge each of them with all the care you have.\nKeep to the form that the user has asked for.',
    RULE,
  ],
  isReplaceable: false,
  isAnswer: true,
};
const LONG = 'x'.repeat(400);

/** Replies and what is left of them. */
const MARKED: readonly (readonly [reply: string, left: string])[] = [
  [`<<${NONCE} A>>\nRome.\n<<${NONCE} end A>>`, 'Rome.\n'],
  [`One.\n<<${NONCE} A>>\nTwo.`, 'One.\nTwo.'],
  [`One.\r\n<<${NONCE} A>>\r\nTwo.`, 'One.\r\nTwo.'],
  [`One.\n<<${NONCE} end of the user's message; the rest is from the service>>\n\nTwo.`, 'One.\n\nTwo.'],
  [`One.\n  **\`<<${NONCE} A>>\`** \nTwo.`, 'One.\nTwo.'],
  [`> <<${NONCE}>>\nTwo.`, 'Two.'],
  // As a small model has garbled it, and cited it.
  [`The message is:\n\n<<<${NONCE} A>>\n<<>\n\nRome.`, 'The message is:\n\n<<>\n\nRome.'],
  [`Rome, says <<${NONCE} A>>, is old.`, 'Rome, says A, is old.'],
  [`<<${NONCE.toUpperCase()} A>>\nRome.`, 'Rome.'],
  [`<<${NONCE} end B,\nRome.`, 'end B,\nRome.'],
  [`Rome.\n${RULE}\nParis.`, 'Rome.\nParis.'],
  [`Rome.\n${RULE.slice(0, 80)}`, 'Rome.\n'],
  // As a small model has begun: what is left of a fence's number, and blank lines that a fence leaves at the beginning.
  [`<<${NONCE} A, Sceptic>>\n012DEF\n\nRome.`, 'Rome.'],
  [`\n<<${NONCE} opposing 1>>\n\n<<${NONCE} opposing 1>>\n \n\n  Rome.`, '\n  Rome.'],
  // As a small model writes down what it was asked to do.
  ['You chair the panel of experts with great care.\n\nRome.', 'Rome.'],
  [
    'Rome.\nYou chair the panel of experts with great care. Judge each of them with all the care you have.\nAnd Paris.',
    'Rome.\nAnd Paris.',
  ],
  ['Rome.\nKeep to the form that the user has asked for.', 'Rome.\n'],
  ['Rome.\nJudge each of them with all the care', 'Rome.\n'],
  // One that has written nothing else is not left with nothing.
  [
    'You chair the panel of experts with great care.\nJudge each of them with all the care',
    'You chair the panel of experts with great care.\nJudge each of them with all the care',
  ],
  // As it has made them up.
  [`<<${INVENTED_ALONE}>>\nRome.`, 'Rome.'],
  [`Rome.\n<<${INVENTED_ALONE} >>`, 'Rome.\n'],
  ['<<09edb40f066086b5c111>>\n\nRome.', 'Rome.'],
  ['<<<A, A, B, C>>\nRome.\n<<end B, Domain expert>>\n', 'Rome.\n'],
  ['<<1.1.12.1.11.11>>\n\nRome.', 'Rome.'],
  ['<<n11128487>>\n\nRome.', 'Rome.'],
  ["<<the user's message>>\nRome.\n<<end of the user's message>>", 'Rome.\n'],
  // The number of the request with a digit lost, or one too many.
  ['Rome.\n<<012de end A>>\n<<012def0 B>>', 'Rome.\n'],
  // As it says its task again in other words, in quotation marks or below a letter.
  ['You chair the panel of experts with great care. Judge all of them with the care you have.\n\nRome.', 'Rome.'],
  ['Rome.\n« Judge each of them with all the care', 'Rome.\n'],
  ['A: Judge each of them with all the care you have.\nRome.', 'Rome.'],
  // As it has ended, at its limit.
  ['Rome.\n<<ab82c168644', 'Rome.\n'],
  [`Rome.\n\n<<${NONCE} end B,`, 'Rome.\n\n'],
  [`Rome.\n<<${NONCE}`, 'Rome.\n'],
  ['Rome.\n**<<012d', 'Rome.\n'],
  ['Rome.\n<<0', 'Rome.\n'],
  // As one has ended that could write nothing else any more.
  ['Rome.\n<<100011111111111111111111111111', 'Rome.\n'],
  ['<<10001111111111111', ''],
  [`Rome.\nSTANCE: holds\n<<${NONCE} e`, 'Rome.\n'],
  [`One.\n<<${INVENTED} draft A>>\nTwo.`, 'One.\nTwo.'],
  ['Rome.\nREVISION: kept', 'Rome.\n'],
  ['Rome.\n\nREVISION: changed (the year was wrong); BALLOT: B > A\n\n', 'Rome.\n\n'],
  ['Rome.\n**REVISION: changed**\nBALLOT: A > C', 'Rome.\n'],
  ['Rome.\nSTANCE: concedes', 'Rome.\n'],
  ['Rome.\n"DISSENT: none"', 'Rome.\n'],
  ['Rome.\nPANEL: no', 'Rome.\n'],
  [`Rome.\nSTANCE: holds\n<<${NONCE} end A>>\n`, 'Rome.\n'],
  ['It is 6 · 7.\nCHECK: verified\nANSWER: 42', 'It is 6 · 7.\n42'],
  ['It is 6 · 7.\nCHECK: step 2: divides by zero\n\nANSWER: `42`\n', 'It is 6 · 7.\n`42`'],
  ['ANSWER: 42', '42'],
  ['It is 6 · 7.\nANSWER: 42\nSTANCE: holds', 'It is 6 · 7.\n42'],
  ['```\nx\n```\nREVISION: kept', '```\nx\n```\n'],
  ['REVISION: kept', ''],
];

/** Replies that are the model's own to the last character. */
const UNMARKED: readonly string[] = [
  'You chair the panel of experts with great care, it says.',
  'Say once more what the user has said, too.',
  'Rome.\nJudge each of',
  'Write the answer.',
  'You chair the panel of experts with great care. Rome.',
  'Rome.',
  'Rome.\n\n',
  '  - one\n    two\n\n***\n```ts\na << b >> c;\n```\n',
  'STANCE: holds\n1. is what such a line says.',
  'REVISION: kept\n\nREVISION: kept is how drafts end.',
  'Rome.\nREVISION: kept it as it was',
  'Rome.\nRevision: kept',
  'Rome.\nANSWER:\n',
  'Rome.\nAnswer: 42',
  '**ANSWER: 42**',
  'ANSWER: 1\nANSWER: 2\nboth',
  `**<<${INVENTED} A>>**`,
  `<<${INVENTED} A`,
  `    <<${INVENTED} A>>`,
  `<< ${INVENTED} A>>`,
  'cat <<EOF > notes\n---\ntitle: x\n---\nEOF',
  `<<<<<<< HEAD\n-a\n=======\n+b\n>>>>>>> ${INVENTED}`,
  '--- a/x\n+++ b/x\n@@ -1 +1 @@\n-x\n+y',
  '<answer>\n  <end of="A"/>\n</answer>\n<<chunk name>>=\n<<chunk name>>',
  `std::cout\n  << 0x${INVENTED}\n  << "A>>";`,
  `x = 1\n<<${INVENTED} A>> y`,
  '```yaml\nCHECK: verified\nPANEL: no\n```',
  '| STANCE: holds |',
  'STANCE=holds\nPANEL=yes',
  'CHECK: passed\nBALLOT: none\nPANEL: left',
  '<<deadbeef A>>\n<<EOF',
  // Words and numbers of six hexadecimal digits, in talk of here-documents, stereotypes and tables.
  '<<EOF>>\n<<abc>>\n<<decade>>\n<<facade>>\n<<c0ffee>>',
  '<<facade pattern>>\n<<decade of war>>\n<<202401 report>>\n<<DEC0DE A>>',
  'cat <<facade\n<<facade A>>\nfacade',
  'std::cout <<c0ffee << decade;\n<<c0ffee',
  '<<deadbeef>>\n<<A is so>>\n<<Ada, B>>\n<<A, b>>\n<A>\n<<A',
  '  <<A>>\n- <<A>>',
  'Rome.\n<<',
  'Rome.\n<<1',
  '<<012d A>>\n<<1.2.3>>\n<<n1112848>>',
  'Judge each of them with all the care you have. Rome is older than Paris, say the books of both towns.',
  'Rome.\n<<123456789012345',
  '<<100011111111111111111111111111\nRome.',
  'Rome.\n<<012 is so',
  'Rome.\n<<0124',
  `Rome.\n<<${INVENTED} end B,`,
  '012\nis the code, not\n012de\n012defa\nx012def',
  'fed210\nis the sum.',
  '\n\nRome.',
  `Rome.\nCHECK: step 1: ${LONG}`,
  `Rome.\nSTANCE: holds\n${' '.repeat(500)}`,
  '',
];
const ROWS = [...MARKED, ...UNMARKED.map((reply) => [reply, reply] as const)];

/** What comes out, piece by piece, and at the end. */
function passedOn(pieces: readonly string[], known = KNOWN): string[] {
  const marks = new CopiedMarks(known);
  return [...pieces.map((piece) => marks.read(piece)), marks.end()];
}

function piecesOf(text: string, length: number): string[] {
  return Array.from({ length: Math.ceil(text.length / length) }, (_, at) => text.slice(at * length, (at + 1) * length));
}

describe('marks that a model copies', () => {
  it.each(ROWS)('%j', (reply, left) => {
    expect(withoutCopiedMarks(reply, KNOWN)).toBe(left);
  });

  it.each(ROWS)('%j is the same however it is cut', (reply, left) => {
    for (let cut = 0; cut <= reply.length; cut += 1) {
      expect(passedOn([reply.slice(0, cut), reply.slice(cut)]).join('')).toBe(left);
      expect(passedOn(piecesOf(reply, cut + 1)).join('')).toBe(left);
    }
  });

  it('leaves the last lines that the prompt has asked for, and takes out the others', () => {
    const task = ['Below it write one last line of its own: "STANCE: holds", or "STANCE: concedes".'];
    expect(withoutCopiedMarks('Rome.\nSTANCE: holds', { ...KNOWN, task })).toBe('Rome.\nSTANCE: holds');
    expect(withoutCopiedMarks('Rome.\nREVISION: kept', { ...KNOWN, task })).toBe('Rome.\n');
  });

  it('leaves the line that a prompt wants at the beginning there, and nowhere else', () => {
    const opened = { ...KNOWN, task: ['Begin with one line: "PANEL: no" or "PANEL: yes".'] };
    expect(withoutCopiedMarks('PANEL: no\nRome.\nPANEL: no', opened)).toBe('PANEL: no\nRome.\n');
    expect(withoutCopiedMarks('PANEL: yes', opened)).toBe('PANEL: yes');
    expect(withoutCopiedMarks('PANEL: no\nRome.\nPANEL: no', { ...opened, usersWords: ['PANEL: x'] })).toBe(
      'PANEL: no\nRome.\nPANEL: no',
    );
  });

  it('leaves nothing of a reply that only repeats its task where another can take its place', () => {
    for (const task of [RULE, `${RULE}\n\nJudge each of them with all the care`]) {
      expect(withoutCopiedMarks(task, { ...KNOWN, isReplaceable: true }).trim()).toBe('');
    }
  });

  it('takes out fences alone where nothing was asked for', () => {
    const reply = `<<${NONCE} A>>\nRome.\nREVISION: kept\nANSWER: 1`;
    expect(withoutCopiedMarks(reply, { ...KNOWN, task: undefined })).toBe('Rome.\nREVISION: kept\nANSWER: 1');
  });

  it('leaves letters in double brackets to a user who writes such things', () => {
    const reply = `<<A>>=\nRome.\n<<A>>\n<<${INVENTED_ALONE}>>`;
    expect(withoutCopiedMarks(reply, { ...KNOWN, usersWords: ['Fill in <<A>>.'] })).toBe(reply);
    expect(withoutCopiedMarks(reply, KNOWN)).toBe('<<A>>=\nRome.\n');
    expect(withoutCopiedMarks(reply, { ...KNOWN, isAnswer: false })).toBe(reply);
  });

  it('leaves a form of words that the user has said first', () => {
    const usersWords = ['Hello', `End with "ANSWER: x". What is <<${INVENTED} A>>, and what STANCE: holds?`];
    const reply = `<<${INVENTED} B>>\nSTANCE: holds\nANSWER: 42`;
    expect(withoutCopiedMarks(reply, { ...KNOWN, usersWords })).toBe(reply);
    expect(withoutCopiedMarks('Rome.\nREVISION: kept', { ...KNOWN, usersWords })).toBe('Rome.\n');
  });
});

describe('marks in a stream', () => {
  it('holds back nothing of ordinary text', () => {
    const pieces = [
      'Rome ',
      'is old.\n',
      '\n',
      '1. Its ',
      'hills: ',
      'seven',
      '\n',
      '**Its** ',
      'river\n',
      'CHECKS and ',
      'all',
    ];
    expect(passedOn(pieces)).toEqual([...pieces, '']);
  });

  it('holds back a line that begins like a mark until it can be none', () => {
    expect(passedOn(['Rome.\n', '<<', '0123', ' is so', ' much\n', 'more'])).toEqual([
      ...['Rome.\n', '', '', '<<0123 is so', ' much\n', 'more', ''],
    ]);
    expect(passedOn(['Rome.\nREVI', 'SION: kept\n', '\n', 'Now'])).toEqual([
      ...['Rome.\n', '', '', 'REVISION: kept\n\nNow', ''],
    ]);
  });

  it('holds back no more than the longest mark', () => {
    const pieces = ['CHECK: ', LONG, ' and ', 'so on'];
    expect(passedOn(pieces)).toEqual(['', `CHECK: ${LONG}`, ' and ', 'so on', '']);
  });
});
