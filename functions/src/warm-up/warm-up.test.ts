import { readConfig } from '../config';
import { isWarmedUp } from './warm-up';

describe('isWarmedUp', () => {
  const usual = { STORE: 'embedded', KEY_PEPPER: 'pepper' };

  it('says that a process of one’s own warms up', () => {
    expect(isWarmedUp(readConfig(usual))).toBe(true);
  });

  it.each([
    ['where that is switched off', { WARM_UP: 'off' }],
    [
      'on Google Cloud, where a processor is there only while somebody waits',
      { K_SERVICE: 'api', GCLOUD_PROJECT: 'my-project' },
    ],
    ['where telemetry would count what nobody asked', { TELEMETRY_MODULE: './telemetry.cjs' }],
  ])('says no %s', (_, env: Record<string, string>) => {
    expect(isWarmedUp(readConfig({ ...usual, ...env }))).toBe(false);
  });

  it('is refused in other words than these', () => {
    expect(() => readConfig({ ...usual, WARM_UP: 'yes' })).toThrow('WARM_UP must be one of on, off');
  });
});
