import { isActivePro, requireByok } from './subscription';

const subscription = (tier: string, status: string) => ({ userId: 'ada', tier, status, sourceUpdatedAtMs: 0 });
const TIERS = ['pro', 'byok', 'free', ''];
const STATUSES = ['active', 'trialing', 'past_due', 'canceled', ''];

describe('a subscription', () => {
  it('opens the API when it is Pro, and active or on trial', () => {
    const opening = TIERS.flatMap((tier) => STATUSES.map((status) => subscription(tier, status))).filter(isActivePro);
    expect(opening.map(({ tier, status }) => `${tier} ${status}`)).toEqual(['pro active', 'pro trialing']);
    expect(isActivePro(undefined)).toBe(false);
  });

  it.each(TIERS.flatMap((tier) => STATUSES.map((status) => [tier, status] as const)))(
    'of tier %j and status %j opens bring your own key only as byok or pro that is active or on trial',
    async (tier, status) => {
      const kept = subscription(tier, status);
      const opens = /^(pro|byok) (active|trialing)$/.test(`${tier} ${status}`);
      const answer = await requireByok({ getSubscription: async () => kept }, 'ada');
      expect(answer).toEqual(opens ? kept : expect.objectContaining({ code: 'no_subscription' }));
    },
  );

  it('that there is none of gets a 403 that says what is needed', async () => {
    const asked: string[] = [];
    const getSubscription = async (userId: string) => {
      asked.push(userId);
      return undefined;
    };
    expect(await requireByok({ getSubscription }, 'ada')).toMatchObject({
      code: 'no_subscription',
      text: 'This needs an active bring-your-own-key or Pro subscription.',
    });
    expect(asked).toEqual(['ada']);
  });
});
