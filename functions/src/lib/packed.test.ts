import { ByteBudget } from './byte-budget';
import { pack, unpackedBytes, unpackWithin } from './packed';

const VALUE = { text: 'ä'.repeat(1_000) };
const JSON_BYTES = Buffer.byteLength(JSON.stringify(VALUE));

describe('unpackWithin', () => {
  it('gives the texts, whose memory is held until it is released', async () => {
    const budget = new ByteBudget(20 * JSON_BYTES);
    const share = budget.shareOf('ada');
    const packed = await pack(VALUE);
    expect(unpackedBytes(packed)).toBe(JSON_BYTES);
    expect(await unpackWithin(share, [packed])).toEqual([JSON.stringify(VALUE)]);
    // Four bytes for each are held.
    expect([budget.hasRoomFor('eve', 8 * JSON_BYTES), budget.hasRoomFor('eve', 8 * JSON_BYTES + 1)]).toEqual([
      true,
      false,
    ]);
    share.release();
    expect(budget.hasRoomFor('eve', 10 * JSON_BYTES)).toBe(true);
  });

  it('holds nothing where there is no room, or where what was packed is damaged', async () => {
    const budget = new ByteBudget(20 * JSON_BYTES);
    const packed = await pack(VALUE);
    expect(await unpackWithin(budget.shareOf('ada'), [packed, packed, packed])).toBeUndefined();
    const damaged = Buffer.from(packed).fill(0, 10, packed.length - 4);
    await expect(unpackWithin(budget.shareOf('ada'), [damaged])).rejects.toThrow();
    expect(budget.hasRoomFor('ada', 10 * JSON_BYTES)).toBe(true);
  });
});
