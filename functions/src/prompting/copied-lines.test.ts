import { CopiedLines, type PromptWords } from './copied-lines';

const KNOWN: PromptWords = {
  task: [
    "<< end of the user's message; the rest is from the service>>",
    'Write the answer.',
    'You chair the panel of experts with great care. Your point of view: What can go wrong, and how likely it is. Say once more what the user has said, too. Judge each of them with all the care you have.\nKeep to the form that the user has asked for.',
  ],
  usersTexts: ['Is it so? Say once more what the user has said, too.'],
};
const CHAIR = 'You chair the panel of experts with great care.';
const JUDGE = 'Judge each of them with all the care you have.';
const LONG = 'x'.repeat(1_200);

/** Replies and their own part. */
const COPIED: readonly (readonly [reply: string, own: string])[] = [
  [`${CHAIR}\n\nRome.`, 'Rome.'],
  [`Rome.\r\n${CHAIR} ${JUDGE}\r\nAnd Paris.`, 'Rome.\r\nAnd Paris.'],
  ['Rome.\n\nKeep to the form that the user has asked for.', 'Rome.\n\n'],
  ['Rome.\n« Judge each of them with all the care', 'Rome.\n'],
  ['**You chair the panel of experts** with great care. Judge all of them with the care you have.\n\nRome.', 'Rome.'],
  ['Rome.\nJudge each of them with', 'Rome.\n'],
  [`${CHAIR} It is a panel of Nobel laureates who have not met before, in a town that none of them knows.`, ''],
  [`\n${CHAIR}\n${JUDGE}\n`, ''],
  ['Rome.\n<<82295cef1253 >>\n<<09edb40f066086b5c111>>\n<<1.1.12.1.11.11>>', 'Rome.\n'],
  ['<<fed210 draft A>>\n<<1e766 B>>\nRome.\n**<<fed210 end draft A>>**', 'Rome.\n'],
  ["<<the user's message>>\n\nRome.\n<<end of the user's message>>", 'Rome.\n'],
  ['Rome.\n<<ab82c168644', 'Rome.\n'],
  ['\n \n  Rome.\n\nParis.', '  Rome.\n\nParis.'],
];
/** Replies that are the model's own to the last character. */
const OWN: readonly string[] = [
  '',
  'Write the answer.',
  'Say once more what the user has said, too.',
  'You chair the panel of Nobel laureates with great care.',
  'You chair the panel of experts, and so Rome was not built in a day, however long its founders tried.',
  'The panel of experts with great care.',
  'Judge each of them',
  'The rest is from the service',
  'What can go wrong, and how likely it is',
  `(${CHAIR})\n[${CHAIR}]\n— ${CHAIR}\n…${CHAIR}\n¿${CHAIR}`,
  `${' '.repeat(201)}\nRome.`,
  `${CHAIR.slice(0, -1)}${LONG}`,
  `You${' '.repeat(200)}chair the panel of experts with great care.`,
  '  - one\n    two\n\n***\n```ts\na << b >> c;\n```\n',
  'cat <<EOF > notes\n---\ntitle: x\n---\nEOF\n<<EOF>>\n<<decade>>\n<<c0ffee>>',
  'Dear <<First Name>>,\n<<Address>>\n<<facade pattern>>\n<<202401 report>>\n<<A>>\n<<A, B>>',
  '<<<<<<< HEAD\n-a\n=======\n+b\n>>>>>>> fed210',
  '<answer>\n  <end of="A"/>\n</answer>\n<<chunk name>>=\n<<chunk name>>',
  'std::cout\n  << 0x012def\n  << "A>>";',
  'REVISION: changed (it was the wrong city)\n\nRome.',
  '<<1234567890123\nRome.\n<<',
];
const ROWS = [...COPIED, ...OWN.map((reply) => [reply, reply] as const)];

/** Parts passed on piece by piece, and at the end. */
function passedOn(pieces: readonly string[], known = KNOWN): string[] {
  const lines = new CopiedLines(known);
  return [...pieces.map((piece) => lines.read(piece)), lines.end()];
}

function piecesOf(text: string, length: number): string[] {
  return Array.from({ length: Math.ceil(text.length / length) }, (_, at) => text.slice(at * length, (at + 1) * length));
}

describe('lines that a model copies from its prompt', () => {
  it.each(ROWS)('%j, however it is cut', (reply, own) => {
    for (let cut = 0; cut <= Math.min(reply.length, 250); cut += 1) {
      expect(passedOn([reply.slice(0, cut), reply.slice(cut)]).join('')).toBe(own);
      expect(passedOn(piecesOf(reply, cut + 1)).join('')).toBe(own);
    }
  });

  it('a user who writes double brackets may read them', () => {
    const reply = '<<A>>=\nRome.\n<<A>>\n<<82295cef1253>>\n<<1';
    expect(passedOn([reply], { ...KNOWN, usersTexts: ['Fill in <<A>>.'] }).join('')).toBe(reply);
  });

  it('ends to look for copies in a reply that repeats itself', () => {
    const reply = `${CHAIR}\n`.repeat(1_000);
    expect(passedOn([reply]).join('')).toBe(`${CHAIR}\n`.repeat(950));
  });

  it('holds back a line until it can be no copy', () => {
    const pieces = [
      'The panel ',
      'of ',
      '\n',
      '1. Its ',
      '**Its** ',
      '\n',
      'You ',
      'chair',
      ' a club',
      ' <<',
      '\n<<',
      'x\n',
    ];
    expect(passedOn(pieces)).toEqual([
      ...['The panel ', 'of ', '\n', '1. Its ', '**Its** ', '\n', '', '', 'You chair a club', ' <<', '\n', '<<x\n', ''],
    ]);
  });
});
