import { heldBytes } from './held-bytes';

describe('the memory a run is taken to hold', () => {
  it('is 96 KiB for each call at a time, and four bytes for each character of the request, once', () => {
    expect(heldBytes(1, 0)).toBe(98_304);
    expect(heldBytes(16, 1_000)).toBe(1_572_864 + 4_000);
  });
});
