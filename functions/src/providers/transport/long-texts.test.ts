import fc from '../../../test/support/properties';
import { LONG_TEXT_CHARACTERS, textOfPieces } from '../../models/model';
import { LongTexts } from './long-texts';

const LONG = 'The same for all. '.repeat(LONG_TEXT_CHARACTERS / 16);

/** A body with the text of a turn, as an SDK would write it and as it is sent. */
function bodyWith(...pieces: string[]) {
  const texts = new LongTexts();
  return texts.bodyOf(JSON.stringify({ model: 'm', content: texts.of(textOfPieces(pieces)), stream: true }));
}

function sent(body: ReturnType<typeof bodyWith>): unknown {
  return JSON.parse(Buffer.concat(body?.pieces ?? []).toString());
}

describe('the long texts of a request', () => {
  it('short ones are left where they are', () => {
    expect(bodyWith('a', 'b')).toBeUndefined();
  });

  it('arrive as they are, whatever they hold and wherever their pieces end', () => {
    const piece = fc.string({ unit: 'binary', maxLength: 40 });
    fc.assert(
      fc.property(fc.array(piece), fc.array(piece), (before, after) => {
        const pieces = [...before, LONG, ...after];
        const body = bodyWith(...pieces);
        expect(sent(body)).toEqual({ model: 'm', content: pieces.join(''), stream: true });
        expect(body?.byteLength).toBe(Buffer.concat(body?.pieces ?? []).length);
        body?.release();
      }),
    );
  });

  it('half a surrogate pair is escaped as JSON.stringify does it', () => {
    expect(sent(bodyWith('\ud83d', LONG, '\ude00'))).toMatchObject({ content: `\ud83d${LONG}\ude00` });
  });

  it('are encoded once for all that are on their way, whoever else reads something beside them', () => {
    const wave = Array.from({ length: 16 }, (_, reader) => bodyWith(LONG, `For reader ${reader}.`));
    const bytes = wave.map((body) => body?.pieces[1]);
    expect(new Set(bytes).size).toBe(1);
    expect(wave.map(sent)).toEqual(
      wave.map((_, reader) => ({ model: 'm', content: `${LONG}For reader ${reader}.`, stream: true })),
    );
    for (const body of wave.slice(1)) body?.release();
    const late = bodyWith(LONG);
    expect(late?.pieces[1]).toBe(bytes[0]);
    late?.release();
    // Released twice counts once.
    late?.release();
    expect(bodyWith(LONG)?.pieces[1]).toBe(bytes[0]);
  });

  it('are let go when the last body that holds them is', () => {
    const first = bodyWith(LONG, 'x'.repeat(5_000));
    first?.release();
    const second = bodyWith('x'.repeat(5_000), LONG.slice(0, -1));
    expect(second?.pieces[1]).not.toBe(first?.pieces[2]);
    second?.release();
  });
});
