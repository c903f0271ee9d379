import { ByteBudget } from './byte-budget';
import { pack, readWithin, unpackedBytes } from './packed';

const VALUE = { text: 'ä'.repeat(1_000) };
/** Room for the 4 MiB that are held while something is read. */
const BUDGET_BYTES = 8_400_000;
const JSON_BYTES = Buffer.byteLength(JSON.stringify(VALUE));

describe('readWithin', () => {
  it('gives the texts, whose memory is held until it is released', async () => {
    const budget = new ByteBudget(BUDGET_BYTES);
    const share = budget.shareOf('ada');
    const packed = { bytes: await pack(VALUE) };
    expect(unpackedBytes(packed)).toBe(JSON_BYTES);
    expect(await readWithin(share, async () => [packed])).toEqual([{ ...packed, text: JSON.stringify(VALUE) }]);
    // Four bytes for each are held.
    const left = BUDGET_BYTES - 4 * JSON_BYTES;
    expect([budget.hasRoomFor('eve', left / 2), budget.hasRoomFor('eve', left / 2 + 1)]).toEqual([true, false]);
    share.release();
    expect(budget.hasRoomFor('eve', BUDGET_BYTES / 2)).toBe(true);
  });

  it('holds nothing where there is no room, or where what was packed is damaged', async () => {
    const budget = new ByteBudget(BUDGET_BYTES);
    const bytes = await pack(VALUE);
    const many = Array(BUDGET_BYTES / 2_000 / 4).fill({ bytes });
    expect(await readWithin(budget.shareOf('ada'), async () => many)).toBeUndefined();
    const damaged = Buffer.from(bytes).fill(0, 10, bytes.length - 4);
    await expect(readWithin(budget.shareOf('ada'), async () => [{ bytes: damaged }])).rejects.toThrow();
    const small = new ByteBudget(BUDGET_BYTES / 2);
    expect(await readWithin(small.shareOf('ada'), () => Promise.reject(new Error('not read')))).toBeUndefined();
    expect(budget.hasRoomFor('ada', BUDGET_BYTES / 2)).toBe(true);
  });
});
