import { statusWords, tierWords } from './plan-status';

/** The statuses of the contract. */
const STATUSES = ['active', 'trialing', 'past_due', 'canceled', 'unpaid', 'paused', 'incomplete', 'incomplete_expired'];

describe('the status of a plan', () => {
  it('has words of its own, whichever it is', () => {
    const all = [...STATUSES, null].map(statusWords);
    expect(new Set(all.map(({ label }) => label)).size).toBe(STATUSES.length + 1);
    expect(new Set(all.map(({ meaning }) => meaning)).size).toBe(STATUSES.length + 1);
    expect(all.filter(({ label }) => label.includes('_'))).toEqual([]);
  });

  it('is good where it lets its user in, and only there', () => {
    expect(STATUSES.filter((status) => statusWords(status).tone === 'good')).toEqual(['active', 'trialing']);
  });

  it('is shown as it is where nobody knows it, and lets nobody in', () => {
    expect(statusWords('frozen')).toMatchObject({ tone: 'neutral', label: 'frozen' });
    expect(statusWords('constructor').label).toBe('constructor');
  });

  it('belongs to a tier with a name', () => {
    expect(['pro', 'byok', 'gold', null].map(tierWords)).toEqual(['Pro', 'Bring your own key', 'gold', 'No plan']);
  });
});
