import { isActivePro, requireByok } from '../../access/subscription';
import { GRANT_TOKENS } from '../../byok/grant';
import { isRefusal } from '../../errors';
import type { Reply } from '../../http/reply';
import type { AccountRequest, AccountRoute } from '../../http/route';
import { monthOf, monthStartMs } from '../../ledger/month';
import { isoTime } from '../../lib/iso-time';
import { usd } from '../answer/reply-parts';
import type { AccountDeps } from './account-deps';

/** `GET /dashboard/plan`: what the user has paid for, what it allows, and what of the month's budget and grant is left. */
export function planRoute(deps: AccountDeps): AccountRoute {
  return { method: 'GET', path: '/dashboard/plan', handle: (request) => plan(deps, request) };
}

async function plan({ store, limits }: AccountDeps, { userId, startedAtMs }: AccountRequest): Promise<Reply> {
  const ofMonth = { userId, month: monthOf(startedAtMs) };
  const [subscription, byok, spend, grant] = await Promise.all([
    store.getSubscription(userId),
    requireByok(store, userId),
    store.readSpend(ofMonth),
    store.readGrant(ofMonth, startedAtMs),
  ]);
  const { tier = null, status = null, budgetNanoUsd, renewsAtMs, endsAtMs, trialEndsAtMs } = subscription ?? {};
  return {
    body: {
      userId,
      tier,
      status,
      renewsAt: isoTime(renewsAtMs ?? null),
      endsAt: isoTime(endsAtMs ?? null),
      trialEndsAt: isoTime(trialEndsAtMs ?? null),
      allows: { api: isActivePro(subscription), routerModels: !isRefusal(byok) },
      requestsPerMinute: { api: limits.api.max, routerModels: limits.byok.max },
      budgetUsd: budgetNanoUsd === undefined ? undefined : usd(budgetNanoUsd),
      spentUsd: usd(spend.userNanoUsd),
      grant: { tokens: GRANT_TOKENS, ...grant },
      monthEndsAt: isoTime(monthStartMs(startedAtMs, 1)),
    },
  };
}
