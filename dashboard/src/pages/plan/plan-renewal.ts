import type { Schema } from '../../api/client';
import { dayOf } from '../../ui/format-moment';

/** The end or renewal of the plan, in words; empty where neither is known. */
export function renewalWords(
  plan: Pick<Schema<'AccountPlan'>, 'renewsAt' | 'endsAt' | 'trialEndsAt' | 'status'>,
  nowMs: number,
): string {
  const { renewsAt, endsAt, trialEndsAt, status } = plan;
  if (endsAt !== null) {
    const endsAtMs = Date.parse(endsAt);
    const day = dayOf(endsAtMs);
    return endsAtMs <= nowMs ? `It ended on ${day}.` : `It was cancelled: it ends on ${day} and does not renew.`;
  }
  const trial =
    status === 'trialing' && trialEndsAt !== null ? `The trial ends on ${dayOf(Date.parse(trialEndsAt))}.` : '';
  const renewal = renewsAt !== null ? `It renews on ${dayOf(Date.parse(renewsAt))}.` : '';
  return [trial, renewal].filter(Boolean).join(' ');
}
