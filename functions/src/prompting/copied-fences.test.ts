import { CopiedFences } from './copied-fences';

const NONCE = '012def';

/** Replies and what is left of them. */
const FENCED: readonly (readonly [reply: string, left: string])[] = [
  [`<<${NONCE} A>>\nRome.\n<<${NONCE} end A>>`, 'Rome.\n'],
  [`One.\r\n<<${NONCE} A>>\r\nTwo.`, 'One.\r\nTwo.'],
  [`One.\n<<${NONCE} end of the user's message; the rest is from the service>>\n\nTwo.`, 'One.\n\nTwo.'],
  [`One.\n  **\`<<${NONCE} A>>\`** \nTwo.`, 'One.\nTwo.'],
  [`> <<${NONCE}>>\nTwo.`, 'Two.'],
  [`<<<${NONCE} A>>\n<<>\n\nRome.`, '<<>\n\nRome.'],
  [`<<${NONCE.toUpperCase()} A>>\nRome.`, 'Rome.'],
  [`Rome, says <<${NONCE} A>>, is old.`, 'Rome, says A, is old.'],
  [`Rome.\n\n<<${NONCE} end B,`, 'Rome.\n\n'],
  [`Rome.\n<<${NONCE}`, 'Rome.\n'],
  [`<<${NONCE} ${'x'.repeat(101)}>>`, `${'x'.repeat(100)}x>>`],
  [`<<${NONCE} A>>`, ''],
];
/** Replies that are the model's own to the last character. */
const UNFENCED: readonly string[] = [
  '',
  '  - one\n    two\n\n***\n```ts\na << b >> c;\n```\n',
  'cat <<EOF > notes\n---\ntitle: x\n---\nEOF',
  '<<<<<<< HEAD\n-a\n=======\n+b\n>>>>>>> fed210',
  `std::cout\n  << 0x${NONCE}\n  << "A>>";`,
  `<<${NONCE}0 A>>\n<<fed210 A>>\n<${NONCE}x>`,
  'Rome.\n<<0124',
  `${'*'.repeat(500)}\n${' '.repeat(500)}<`,
];
const ROWS = [...FENCED, ...UNFENCED.map((reply) => [reply, reply] as const)];

/** Parts passed on piece by piece, and at the end. */
function passedOn(pieces: readonly string[]): string[] {
  const fences = new CopiedFences(NONCE);
  return [...pieces.map((piece) => fences.read(piece)), fences.end()];
}

function piecesOf(text: string, length: number): string[] {
  return Array.from({ length: Math.ceil(text.length / length) }, (_, at) => text.slice(at * length, (at + 1) * length));
}

describe('fences that a model copies', () => {
  it.each(ROWS)('%j, however it is cut', (reply, left) => {
    for (let cut = 0; cut <= reply.length; cut += 1) {
      expect(passedOn([reply.slice(0, cut), reply.slice(cut)]).join('')).toBe(left);
      expect(passedOn(piecesOf(reply, cut + 1)).join('')).toBe(left);
    }
  });

  it('holds back nothing of ordinary text', () => {
    const pieces = ['Rome ', 'is old.\n', '\n', '1. Its ', 'hills: ', 'seven', '\n', '**Its** ', 'river\n', '<b>'];
    expect(passedOn(pieces)).toEqual([...pieces, '']);
  });

  it('holds back what may become a fence until it can be none', () => {
    const pieces = ['Rome.\n', '<<', '012', ' is so', ` <<${NONCE} `, 'A', '>>', ' much'];
    expect(passedOn(pieces)).toEqual(['Rome.\n', '', '', '<<012 is so', ' ', '', '', 'A much', '']);
  });
});
