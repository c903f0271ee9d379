import type { Tone } from './tone';

/** The name of a status of the subscription, and its meaning for the user. */
export interface StatusWords {
  readonly tone: Tone;
  readonly label: string;
  readonly meaning: string;
}

const PAY = 'Pay what is open where you subscribed, then it works again by itself.';

const STATUSES: ReadonlyMap<string, StatusWords> = new Map(
  Object.entries<StatusWords>({
    active: { tone: 'good', label: 'Active', meaning: 'Everything of the plan can be used.' },
    trialing: { tone: 'good', label: 'On trial', meaning: 'Everything of the plan can be used while the trial lasts.' },
    past_due: { tone: 'warn', label: 'Payment is late', meaning: `Until it has come in, requests are refused. ${PAY}` },
    unpaid: { tone: 'bad', label: 'Not paid', meaning: `Requests are refused. ${PAY}` },
    paused: {
      tone: 'warn',
      label: 'Paused',
      meaning: 'Requests are refused. Resume the subscription where you subscribed; your keys then work again.',
    },
    canceled: {
      tone: 'bad',
      label: 'Cancelled',
      meaning: 'Requests are refused. Your keys are kept, and work again when you subscribe anew.',
    },
    incomplete: {
      tone: 'warn',
      label: 'First payment is open',
      meaning: 'The plan begins when the first payment has come in. Finish it where you subscribed.',
    },
    incomplete_expired: {
      tone: 'bad',
      label: 'Never begun',
      meaning: 'The first payment did not come in in time. Subscribe anew to use the plan.',
    },
  }),
);

/** The words for a status; one that is not known lets nobody in. */
export function statusWords(status: string | null): StatusWords {
  if (status === null) return { tone: 'neutral', label: 'Not subscribed', meaning: 'There is no subscription yet.' };
  return (
    STATUSES.get(status) ?? {
      tone: 'neutral',
      label: status,
      meaning: 'Requests are refused while the plan has this status.',
    }
  );
}

const TIERS: ReadonlyMap<string, string> = new Map([
  ['pro', 'Pro'],
  ['byok', 'Bring your own key'],
]);

/** The name of a tier. */
export function tierWords(tier: string | null): string {
  return tier === null ? 'No plan' : (TIERS.get(tier) ?? tier);
}
