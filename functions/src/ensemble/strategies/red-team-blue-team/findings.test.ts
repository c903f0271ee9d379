import { type Finding, parseAttack } from './findings';

/** The one finding of a report. */
function only(finding: object): Finding | undefined {
  return parseAttack(JSON.stringify({ findings: [finding] })).findings[0];
}

describe('parseAttack', () => {
  it('reads findings: what is wrong, where, how bad, and how to correct it', () => {
    const reply = JSON.stringify({
      findings: [
        { target: 'B', quote: 'always', severity: 'critical', why: 'There are exceptions.', fix: 'Say usually.' },
        { severity: 'minor', why: 'Too long.' },
      ],
    });
    expect(parseAttack(`Here:\n\`\`\`json\n${reply}\n\`\`\``)).toEqual({
      findings: [
        { target: 'B', severity: 'critical', text: '“always” — There are exceptions. — Fix: Say usually.' },
        { target: undefined, severity: 'minor', text: 'Too long.' },
      ],
      refused: false,
      graded: true,
    });
  });

  it.each([
    ['A', 'A'],
    ['AB', 'AB'],
    ['answer C', 'C'],
    ['Version D', 'D'],
    ['ABC', undefined],
    ['the first one', undefined],
    ['A and B', undefined],
    [7, undefined],
    [null, undefined],
  ])('target %j concerns %j', (target, label) => expect(only({ target, why: 'x' })?.target).toBe(label));

  it.each([
    ['critical', 'critical'],
    ['MAJOR', 'major'],
    ['Minor ', 'minor'],
    ['blocker', 'major'],
    ['', 'major'],
    [3, 'major'],
    ['constructor', 'major'],
  ])('severity %j counts as %j', (severity, counted) => expect(only({ severity, why: 'x' })?.severity).toBe(counted));

  it('leaves out findings that say nothing, whatever they are', () => {
    const reply = JSON.stringify({
      findings: [{}, null, 7, ' ', [], { severity: 'critical' }, { why: ' ' }, { why: 'y' }],
    });
    expect(parseAttack(reply).findings).toEqual([{ target: undefined, severity: 'major', text: 'y' }]);
  });

  it('takes no more than eight', () => {
    const many = Array.from({ length: 100_000 }, (_, index) => ({ why: `${index}` }));
    const { findings } = parseAttack(JSON.stringify({ findings: many }));
    expect(findings.map(({ text }) => text)).toEqual(['0', '1', '2', '3', '4', '5', '6', '7']);
  });

  it('takes an empty list for a clean report', () => {
    expect(parseAttack('{"findings": []}')).toEqual({ findings: [], refused: false, graded: true });
  });

  it.each([
    ['prose', 'It never says why. '],
    ['another object', '{"problems": ["It never says why."]}'],
    ['findings that are no list', '{"findings": {"why": "x"}}'],
    ['prototype keys', '{"__proto__": {"findings": []}}'],
  ])('takes %s for one major finding about every answer', (_, reply) => {
    expect(parseAttack(reply)).toEqual({
      findings: [{ target: undefined, severity: 'major', text: reply.trim() }],
      refused: false,
      graded: false,
    });
  });

  it.each([
    'I’m sorry, but I cannot help with that.',
    "I can't attack these.",
    'I cannot do this.',
    '  “Sorry, no.',
    'As an AI, I …',
    'I won’t.',
  ])('takes %j for a refusal', (reply) =>
    expect(parseAttack(reply)).toEqual({ findings: [], refused: true, graded: false }),
  );

  it.each(['The answer says sorry too often.', 'I can see two errors.', 'Sorrydays are no word.'])(
    'does not take %j for one',
    (reply) => expect(parseAttack(reply).refused).toBe(false),
  );
});
