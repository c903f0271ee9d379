import fc from '../../../test/support/properties';
import type { InTurn } from '../../lib/turns';
import { LONG_TEXT_CHARACTERS, textOfPieces } from '../../models/model';
import { LongTexts, type SharedBody } from './long-texts';

const LONG = 'The same for all. '.repeat(LONG_TEXT_CHARACTERS / 16);
const SLICE_CHARACTERS = 256 * 1024;

/** A body with the text of a turn, as an SDK would write it and as it is sent. */
function bodyWith(pieces: readonly string[], inTurn?: InTurn): Promise<SharedBody> | undefined {
  const texts = new LongTexts(inTurn);
  return texts.bodyOf(JSON.stringify({ model: 'm', content: texts.of(textOfPieces(pieces)), stream: true }));
}

function sent(body: SharedBody | undefined): unknown {
  return JSON.parse(Buffer.concat(body?.pieces ?? []).toString());
}

describe('the long texts of a request', () => {
  it('short ones are left where they are', () => {
    expect(bodyWith(['a', 'b'])).toBeUndefined();
  });

  it('arrive as they are, whatever they hold and wherever their pieces end', async () => {
    const piece = fc.string({ unit: 'binary', maxLength: 40 });
    await fc.assert(
      fc.asyncProperty(fc.array(piece), fc.array(piece), async (before, after) => {
        const pieces = [...before, LONG, ...after];
        const body = await bodyWith(pieces);
        expect(sent(body)).toEqual({ model: 'm', content: pieces.join(''), stream: true });
        expect(body?.byteLength).toBe(Buffer.concat(body?.pieces ?? []).length);
        body?.release();
      }),
    );
  });

  it('half a surrogate pair is sent as a character that stands for none', async () => {
    expect(sent(await bodyWith(['\ud83d', LONG, '\ude00']))).toMatchObject({ content: `\ufffd${LONG}\ufffd` });
  });

  it('very long ones are encoded slice by slice, each in its turn, and no pair is parted', async () => {
    const text = `${'a'.repeat(SLICE_CHARACTERS - 1)}\u{1f345}${'"'.repeat(SLICE_CHARACTERS)}é`;
    const sizes: number[] = [];
    const body = await bodyWith([text], async (size, work) => {
      sizes.push(size);
      return work();
    });
    expect(sizes).toEqual([SLICE_CHARACTERS + 1, SLICE_CHARACTERS, 1]);
    const bytes = Buffer.concat(body?.pieces ?? []).toString();
    expect(bytes).toBe(JSON.stringify({ model: 'm', content: text, stream: true }));
    body?.release();
  });

  it('are encoded once for all that are on their way, whoever else reads something beside them', async () => {
    const readers = Array.from({ length: 16 }, (_, reader) => `For reader ${reader}.`);
    const wave = await Promise.all(readers.map((words) => bodyWith([LONG, words])));
    const bytes = wave.map((body) => body?.pieces[1]);
    expect(new Set(bytes).size).toBe(1);
    expect(wave.map(sent)).toEqual(readers.map((words) => ({ model: 'm', content: `${LONG}${words}`, stream: true })));
    for (const body of wave.slice(1)) body?.release();
    const late = await bodyWith([LONG]);
    expect(late?.pieces[1]).toBe(bytes[0]);
    late?.release();
    // Released twice counts once.
    late?.release();
    expect((await bodyWith([LONG]))?.pieces[1]).toBe(bytes[0]);
  });

  it('are let go when the last body that holds them is', async () => {
    const first = await bodyWith([LONG, 'x'.repeat(5_000)]);
    first?.release();
    const second = await bodyWith(['x'.repeat(5_000), LONG.slice(0, -1)]);
    expect(second?.pieces[1]).not.toBe(first?.pieces[2]);
    second?.release();
  });
});
