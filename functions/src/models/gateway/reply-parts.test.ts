import { ReplyReasoning } from './reply-parts';

const text = (index: number, fields: object) => ({ type: 'reasoning.text', index, ...fields });
const MAX = 1024 * 1024;

function whole(...pieces: Parameters<ReplyReasoning['add']>[0][]) {
  const reasoning = new ReplyReasoning();
  for (const piece of pieces) reasoning.add(piece);
  return reasoning.whole();
}

describe('what a model thinks', () => {
  it('is nothing where it said nothing', () => expect(whole()).toBeUndefined());

  it('is joined by name', () => {
    expect(whole({ reasoning_content: 'a' }, { reasoning: 'x' }, { reasoning_content: 'b' })).toEqual({
      reasoning_content: 'ab',
      reasoning: 'x',
    });
  });

  it('in items is joined by number and type; a signature and what is encrypted stay as they are', () => {
    const pieces = [
      text(0, { text: 'I ', format: 'f', signature: null }),
      text(0, { text: 'look.' }),
      text(0, { text: '', signature: 'signed' }),
      { type: 'reasoning.summary', index: 0, summary: 'Sum' },
      { type: 'reasoning.summary', index: 0, summary: 'med.' },
      text(1, { text: 'Again.' }),
      { type: 'reasoning.encrypted', data: 'one' },
      { type: 'reasoning.encrypted', data: 'two' },
    ];
    expect(whole(...pieces.map((piece) => ({ reasoning_details: [piece] })))).toEqual({
      reasoning_details: [
        text(0, { text: 'I look.', format: 'f', signature: 'signed' }),
        { type: 'reasoning.summary', index: 0, summary: 'Summed.' },
        text(1, { text: 'Again.' }),
        { type: 'reasoning.encrypted', data: 'one' },
        { type: 'reasoning.encrypted', data: 'two' },
      ],
    });
  });

  it('is kept up to a bound: of a text the beginning, of items nothing, as they are signed as a whole', () => {
    const piece = { reasoning_content: 'x'.repeat(1_000), reasoning_details: [text(0, { text: 'y'.repeat(1_000) })] };
    const endless = whole(...Array.from({ length: 2_000 }, () => piece));
    expect(endless?.reasoning_details).toBeUndefined();
    expect(endless?.reasoning_content).toMatch(/^x{400000,}$/);
    expect(JSON.stringify(endless).length).toBeLessThan(MAX);
  });
});
