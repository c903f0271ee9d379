import { parseTrailer } from './trailer';

describe('parseTrailer', () => {
  it.each([
    ['Text.\nSTANCE: holds', { text: 'Text.', word: 'holds', rest: '' }],
    ['Text.\n\n  Stance: CONCEDES, mostly \n\n', { text: 'Text.', word: 'concedes', rest: ', mostly' }],
    ['Text.\r\nSTANCE: holds\r\n', { text: 'Text.', word: 'holds', rest: '' }],
    ['Text.\n**STANCE:** `holds`', { text: 'Text.', word: 'holds', rest: '`' }],
    // Regression: an underscore is part of a word to a pattern, and markup to a model.
    ['Text.\n> - _STANCE: holds_', { text: 'Text.', word: 'holds', rest: '_' }],
    ['STANCE: holds', { text: '', word: 'holds', rest: '' }],
  ])('reads %j', (reply, trailed) => expect(parseTrailer(reply, 'STANCE')).toEqual(trailed));

  it.each([
    ['no such line', 'Just text.'],
    ['one far from the end', 'STANCE: concedes\n1\n2\n3'],
    ['one with nothing behind the keyword', 'Text.\nSTANCE:'],
    ['another keyword', 'Text.\nREVISION: kept'],
    ['the keyword in the middle of a line', 'Text. My STANCE: concedes'],
    ['nothing at all', ''],
  ])('cuts nothing when there is %s', (_, reply) =>
    expect(parseTrailer(reply, 'STANCE')).toEqual({ text: reply, word: undefined, rest: '' }),
  );

  it('cuts one line only: an earlier one belongs to the text', () => {
    const { text, word } = parseTrailer('STANCE: concedes\nSTANCE: holds', 'STANCE');
    expect([text, word]).toEqual(['STANCE: concedes', 'holds']);
  });

  it.each([
    ['a remark', 'Text.\nSTANCE: holds\nI hope that helps!', 'Text.\nI hope that helps!'],
    ['a closing fence', '```\nText.\nSTANCE: holds\n```', '```\nText.\n```'],
  ])('%s behind it stays in the text', (_, reply, text) =>
    expect(parseTrailer(reply, 'STANCE')).toEqual({ text, word: 'holds', rest: '' }),
  );

  it.each(['**STANCE**: holds', 'STANCE：holds', '"STANCE: holds"', '## STANCE: **holds**', '• Stance: “holds”'])(
    'reads %j',
    (line) => expect(parseTrailer(`Text.\n\n${line}`, 'STANCE')).toMatchObject({ text: 'Text.', word: 'holds' }),
  );

  it.each([
    ['markup before it', `${'*'.repeat(500_000)}x`],
    ['markup behind the keyword', `STANCE:${'*'.repeat(500_000)}1`],
    ['a word without end', `STANCE: ${'a'.repeat(500_000)}`],
    ['lines', '\n'.repeat(500_000)],
  ])('comes to an end with very many %s', (_, reply) => expect(parseTrailer(reply, 'STANCE').rest).toBe(''));
});
