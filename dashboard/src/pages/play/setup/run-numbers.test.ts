import { numberFlaw, numbersFlaw, RUN_NUMBERS, type RunNumber } from './run-numbers';
import { NEW_SETTINGS } from './run-settings';

const numberOf = (id: RunNumber['id']) => RUN_NUMBERS.find((one) => one.id === id) as RunNumber;

describe('a number of a run', () => {
  it.each([
    ['temperature', ['', ' ', '0', '2', '.7', '1e-1'], ['-1', '2.1', '0,5', 'warm', 'Infinity', 'NaN']],
    ['topP', ['0', '1', '0.95'], ['1.01', '-0.1']],
    ['maxWords', ['1', '10000'], ['0', '10001', '1.5', 'many']],
    ['maxCostUsd', ['0.05', '12'], ['0', '-1', '$5', 'Infinity']],
    ['maxSeconds', ['1', '525', '1.5'], ['0', '526']],
    ['graceSeconds', ['0', '525'], ['-1', '526']],
  ] as const)('%s is taken within its bounds', (id, good, bad) => {
    expect(good.map((typed) => numberFlaw(numberOf(id), typed))).toEqual(good.map(() => undefined));
    expect(bad.map((typed) => numberFlaw(numberOf(id), typed))).toEqual(bad.map(() => expect.any(String)));
  });

  it('says what it must be', () => {
    expect(numberFlaw(numberOf('maxWords'), '1.5')).toBe('Write a whole number from 1 to 10,000.');
    expect(numbersFlaw({ ...NEW_SETTINGS, topP: '2' })).toBe('Options, Top P: Write a number from 0 to 1.');
    expect(numbersFlaw({ ...NEW_SETTINGS, graceSeconds: 'x', strategy: 'single' })).toBeUndefined();
  });
});
