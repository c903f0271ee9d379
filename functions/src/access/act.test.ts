import { fakeClock } from '../../test/support/fake-clock';
import { LEDGER_RETENTION_MS } from '../ledger/ledger-store';
import { ACT_RETENTION_MS, newAct } from './act';

const SAID = { actor: 'cli', name: 'keys.create', userId: 'ada' } as const;

describe('an act', () => {
  it('is of this moment, has an id of its own, and of what was not said nothing', () => {
    const clock = fakeClock();
    const act = newAct(clock, SAID);
    const actId = expect.stringMatching(/^[0-9a-f]{32}$/);
    expect(act).toEqual({ ...SAID, actId, atMs: clock.nowMs(), target: null, details: {} });
    expect(newAct(clock, SAID).actId).not.toBe(act.actId);
  });

  it('tells what it was done to and what a reader would ask next', () => {
    const told = { target: 'key-1', details: { name: 'laptop', expiresAtMs: null } };
    expect(newAct(fakeClock(), { ...SAID, ...told })).toMatchObject(told);
  });

  it('is kept for 400 days, as ledger records are', () => {
    const days400 = Date.UTC(2027, 1, 5) - Date.UTC(2026, 0, 1);
    expect([ACT_RETENTION_MS, LEDGER_RETENTION_MS]).toEqual([days400, days400]);
  });
});
