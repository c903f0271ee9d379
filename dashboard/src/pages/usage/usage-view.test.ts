import { searchOf, viewOf } from './usage-view';

const USUAL = { per: 'month', range: undefined, show: 'cost', by: 'model', key: undefined, isRangeRefused: false };

describe('the address of the usage', () => {
  it('names the whole view', () => {
    const address = 'per=day&from=2026-06&to=2026-11&show=tokens&by=key&key=key_1';
    const view = viewOf(new URLSearchParams(address));
    expect(view).toEqual({
      per: 'day',
      range: { from: '2026-06', to: '2026-11' },
      show: 'tokens',
      by: 'key',
      key: 'key_1',
      isRangeRefused: false,
    });
    expect(searchOf(view).toString()).toBe(address);
  });

  it('is empty for the usual view', () => {
    expect(viewOf(new URLSearchParams())).toEqual(USUAL);
    expect(searchOf(viewOf(new URLSearchParams())).toString()).toBe('');
  });

  it('shows the usual view for what it does not know, and tells of a wrong range', () => {
    expect(viewOf(new URLSearchParams('show=all&by=day'))).toEqual(USUAL);
    expect(viewOf(new URLSearchParams('from=x&to=2026-11'))).toEqual({ ...USUAL, isRangeRefused: true });
    expect(viewOf(new URLSearchParams('to=2026-11'))).toEqual({ ...USUAL, isRangeRefused: true });
  });
});
