import { parseChain as read } from './chain';

const parseChain = (reply: string) => read(reply, '1. The former chain.');

describe('parseChain', () => {
  it('reads the steps, the check and the final answer', () => {
    expect(parseChain('1. Six by seven.\n2. That is 42.\nCHECK: verified\nANSWER: 42')).toEqual({
      text: '1. Six by seven.\n2. That is 42.\nANSWER: 42',
      answer: '42',
      check: { verified: true, finding: 'verified' },
    });
  });

  it.each([
    ['1. x\nANSWER: 42', '42'],
    ['1. x\n**ANSWER:** `42`', '42'],
    ['1. x\n### Final Answer: 42 *', '42'],
    ['1. x\n> _answer: forty-two_', 'forty-two'],
    ['1. x\nANSWER: 41\nANSWER: 42', '42'],
    ['1. x\nANSWER: 42\n\nI hope that helps!', '42'],
    ['1. x\r\nANSWER: 42\r\n', '42'],
    ['ANSWER: 42', '42'],
  ])('reads the answer of %j', (reply, answer) => expect(parseChain(reply).answer).toBe(answer));

  it.each([
    ['no such line', '1. x\n2. y'],
    ['an empty one', '1. x\nANSWER:'],
    ['one of markup alone', '1. x\n**ANSWER:** ** `'],
    ['one far from the end', 'ANSWER: 42\n1\n2\n3\n4'],
    ['the word in the middle of a line', 'So my ANSWER: 42'],
    ['nothing', ''],
  ])('guesses no answer from %s', (_, reply) => expect(parseChain(reply).answer).toBeUndefined());

  it.each([
    ['CHECK: verified', true, 'verified'],
    ['**Check: Verified.**', true, 'Verified.'],
    ['CHECK: step 3: divides by zero', false, 'step 3: divides by zero'],
    ['CHECK: not verified', false, 'not verified'],
    ['CHECK: unverified', false, 'unverified'],
  ])('reads %j', (line, verified, finding) =>
    expect(parseChain(`1. x\n${line}\nANSWER: 42`).check).toEqual({ verified, finding }),
  );

  it('takes lines about the check from the beginning and the end of the text only; the first one counts', () => {
    const { text, check } = parseChain(
      'CHECK: step 1: wrong\n1\nCHECK: verified\n2\n3\n4\nCHECK: verified\nANSWER: 42',
    );
    expect(text).toBe('1\nCHECK: verified\n2\n3\n4\nANSWER: 42');
    expect(check?.verified).toBe(false);
  });

  it('takes out what was said of a change, and finds all last lines before a remark and between blank ones', () => {
    const reply =
      '1. x\n\n**CHECK: verified**\n\n**REVISION: changed (a slip)**\n\n**ANSWER: 42**\n\nI hope that helps!';
    const { text, answer, check } = parseChain(reply);
    expect(text.split(/\n+/)).toEqual(['1. x', '**ANSWER: 42**', 'I hope that helps!']);
    expect([answer, check?.verified]).toEqual(['42', true]);
  });

  it('has an empty text when there is nothing but a check', () => {
    expect(parseChain('CHECK: verified')).toEqual({
      text: '',
      answer: undefined,
      check: { verified: true, finding: 'verified' },
    });
  });

  it.each([
    ['markup in the middle of a line', `CHECK: a${'*'.repeat(300_000)}x`],
    ['markup before a line end within the line', `CHECK: ${'*'.repeat(300_000)}a\ra`],
    ['markup in an answer', `ANSWER: a${'`'.repeat(300_000)}\u2028a`],
    ['markup before a keyword that never comes', `${'*'.repeat(300_000)}CHECK`],
  ])('regression: comes to an end with very much %s', (_, reply) => expect(parseChain(reply).text).toBeDefined());
});
