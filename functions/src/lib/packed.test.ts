import { ByteBudget } from './byte-budget';
import { pack, readWithin } from './packed';

const VALUE = { text: 'ä'.repeat(1_000) };
const TEXT = JSON.stringify(VALUE);
/** Room for the 4 MiB that are held while something is read. */
const BUDGET_BYTES = 8_400_000;

describe('readWithin', () => {
  it('gives the texts, four bytes of memory for each of theirs, until it is released', async () => {
    const budget = new ByteBudget(BUDGET_BYTES);
    const share = budget.shareOf('ada');
    expect(await readWithin(share, async () => [{ bytes: await pack(VALUE) }])).toMatchObject([{ text: TEXT }]);
    const left = BUDGET_BYTES / 2 - 2 * Buffer.byteLength(TEXT);
    expect([budget.hasRoomFor('eve', left), budget.hasRoomFor('eve', left + 1)]).toEqual([true, false]);
    share.release();
    expect(budget.hasRoomFor('eve', BUDGET_BYTES / 2)).toBe(true);
  });

  it.each<[string, (bytes: Uint8Array) => Promise<Uint8Array[]>, RegExp | undefined]>([
    ['there is no room for all', async (bytes) => Array<Uint8Array>(1_050).fill(bytes), undefined],
    ['one is damaged', async (bytes) => [Buffer.from(bytes).fill(0, 10, bytes.length - 4)], /invalid|data/],
    ['it cannot be read', () => Promise.reject(new Error('no database')), /no database/],
  ])('holds nothing where %s', async (_, read, fault) => {
    const budget = new ByteBudget(BUDGET_BYTES);
    const bytes = await pack(VALUE);
    const reading = readWithin(budget.shareOf('ada'), async () => (await read(bytes)).map((one) => ({ bytes: one })));
    if (fault) await expect(reading).rejects.toThrow(fault);
    else expect(await reading).toBeUndefined();
    expect(budget.hasRoomFor('ada', BUDGET_BYTES / 2)).toBe(true);
  });

  it('reads nothing where there is no room to', async () => {
    const share = new ByteBudget(BUDGET_BYTES / 2).shareOf('ada');
    expect(await readWithin(share, () => Promise.reject(new Error('read')))).toBeUndefined();
  });
});
