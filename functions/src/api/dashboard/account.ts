import * as z from 'zod';
import { byUser, newAct } from '../../access/act';
import { isActivePro, requireByok } from '../../access/subscription';
import { GRANT_TOKENS } from '../../byok/grant';
import { isRefusal, refuse } from '../../errors';
import type { OpenRoute } from '../../http/route';
import { monthOf, monthStartMs } from '../../ledger/month';
import { isoTime } from '../../lib/clock';
import { amount, count, flag, list, moment, named, oneOf, type Sent, text } from '../../lib/reply-schemas';
import { usd } from '../../lib/usd';
import { lastStudySchema } from '../shared/last-study';
import { accountRoute, type Described } from '../shared/operation';
import { Suggestions } from '../shared/suggestions';
import { Model, platformModels } from '../v1/models';

const ACTS_MAX = 200;

const AccountPlan = named('AccountPlan', () =>
  z.object({
    userId: text('Who is signed in.'),
    tier: text('What was subscribed to.').nullable(),
    status: text('`active` and `trialing` count.').nullable(),
    renewsAt: moment('When it goes on by itself, where that is known.').nullable(),
    endsAt: moment('When it ends, or has ended: it was cancelled.').nullable(),
    trialEndsAt: moment('When the trial ends.').nullable(),
    allows: z.object({ api: flag('Keys and the API.'), routerModels: flag('Models of the router.') }),
    requestsPerMinute: z.object({ api: count('With keys.'), routerModels: count('Runs with models of the router.') }),
    budgetUsd: amount('What the user may spend in a month.').optional(),
    spentUsd: amount('This month, in US dollars, with what is set aside for requests under way.'),
    grant: z.object({
      tokens: count('Tokens of platform models in a month, beside models of the router.'),
      usedTokens: count('Those used.'),
      leasedTokens: count('Those set aside for runs under way.'),
    }),
    monthEndsAt: moment('When budgets and grant begin anew.'),
  }),
);

const Act = named('Act', () =>
  z.object({
    id: text('The id of the act.'),
    at: moment('When it was done.'),
    by: oneOf(['cli', 'user', 'system'], 'Who did it.'),
    what: text('What was done, such as `keys.create`.'),
    target: text('What it was done to, such as the id of a key.').nullable(),
    network: text('The network that the request came from, such as `203.0.113.0/24`.').nullable(),
    details: z
      .record(z.string(), z.union([z.string(), z.number(), z.null()]))
      .describe('What a reader would ask next.'),
  }),
);
const ActList = named('ActList', () => z.object({ acts: list(Act, 'Newest first.') }));
const SessionsEnded = named('SessionsEnded', () => z.object({ endedAt: moment('When they were ended.') }));

export const getPlan = accountRoute({
  at: 'GET /dashboard/plan',
  id: 'getPlan',
  summary: 'Tell the plan, what it allows, and what of it is used this month',
  reply: AccountPlan,
  run: async ({ store, limits }, { userId, startedAtMs }) => {
    const ofMonth = { userId, month: monthOf(startedAtMs) };
    const [subscription, byok, spend, grant] = await Promise.all([
      store.getSubscription(userId),
      requireByok(store, userId),
      store.readSpend(ofMonth),
      store.readGrant(ofMonth, startedAtMs),
    ]);
    const { tier = null, status = null, budgetNanoUsd, renewsAtMs, endsAtMs, trialEndsAtMs } = subscription ?? {};
    const { usedTokens, leasedTokens } = grant;
    return {
      body: {
        ...{ userId, tier, status },
        renewsAt: isoTime(renewsAtMs ?? null),
        endsAt: isoTime(endsAtMs ?? null),
        trialEndsAt: isoTime(trialEndsAtMs ?? null),
        allows: { api: isActivePro(subscription), routerModels: !isRefusal(byok) },
        requestsPerMinute: { api: limits.api.max, routerModels: limits.byok.max },
        budgetUsd: budgetNanoUsd === undefined ? undefined : usd(budgetNanoUsd),
        spentUsd: usd(spend.userNanoUsd),
        grant: { tokens: GRANT_TOKENS, usedTokens, leasedTokens },
        monthEndsAt: isoTime(monthStartMs(startedAtMs, 1)),
      },
    };
  },
});

export const listActs = accountRoute({
  at: 'GET /dashboard/audit',
  id: 'listActs',
  summary: `List the last ${ACTS_MAX} acts on the account, newest first`,
  reply: ActList,
  run: async ({ store }, { userId }) => {
    const acts = await store.listActs({ userId, sinceMs: 0, max: ACTS_MAX });
    const body = acts.map(({ actId, atMs, actor, name, target, details }) => {
      const { network, ...rest } = details;
      const from = network === undefined ? null : String(network);
      return { id: actId, at: isoTime(atMs), by: actor, what: name, target, network: from, details: rest };
    });
    return { body: { acts: body } };
  },
});

/** Part of the dashboard only where users sign in. */
export const signOutEverywhere = accountRoute({
  at: 'POST /dashboard/sign-out-everywhere',
  id: 'signOutEverywhere',
  summary: 'End all sessions of the user',
  description:
    'ID tokens that were given out stay good for an hour at most, but not for what needs a recent sign-in. Not where nobody signs in.',
  reply: SessionsEnded,
  run: async ({ store, clock, endSessions }, { userId, network }) => {
    if (!endSessions) return refuse('not_found', 'Nobody signs in here');
    await endSessions(userId);
    const act = newAct(clock, { name: 'sessions.end', userId, ...byUser({ network }) });
    await store.recordAct(act);
    return { body: { endedAt: isoTime(act.atMs) } };
  },
});

export const listPlatformModels = accountRoute({
  at: 'GET /dashboard/models',
  id: 'listPlatformModels',
  summary: 'List the models that the deployment offers, without the virtual ids',
  reply: named('PlatformModels', () =>
    z.object({
      models: list(Model, 'As the API lists them.'),
      suggestions: Suggestions,
      ownServer: z
        .object({
          trouble: text('Why it did not give its list when it was last asked; null where it did.').nullable(),
          listedAt: moment('When it last did.').nullable(),
        })
        .optional()
        .describe('The server of `OPENAI_BASE_URL`, whose list is part of `models`. Absent: there is none.'),
    }),
  ),
  run: async (deps, { startedAtMs }) => {
    const { models, list: own } = await platformModels(deps, startedAtMs);
    const ownServer = own && { trouble: own.error?.message ?? null, listedAt: isoTime(own.readAtMs ?? null) };
    return { body: { models, suggestions: deps.suggestions, ownServer } };
  },
});

export const getLastStudy = accountRoute({
  at: 'GET /dashboard/study',
  id: 'getLastStudy',
  summary: 'Tell what the last study of quality and cost found here',
  reply: named('StudyReply', () => z.object({ study: lastStudySchema.nullable().describe('Null: none was made.') })),
  run: async ({ readLastStudy }) => ({ body: { study: await readLastStudy() } }),
});

const FirebaseApp = named(
  'FirebaseApp',
  () =>
    z.object({
      apiKey: text('Names the project to Firebase; no secret.'),
      authDomain: text('Where sign-in pages come from.').optional(),
      projectId: text('The project.').optional(),
      appId: text('The web app.').optional(),
    }),
  'The Firebase app of the page. Absent: as Firebase Hosting tells it at `/__/firebase/init.json`.',
);

const DashboardConfig = named('DashboardConfig', () =>
  z.object({
    mode: oneOf(
      ['embedded', 'firebase'],
      'How users sign in: with Firebase, or, on a machine of their own, not at all.',
    ),
    apiBaseUrl: text("The base URL for programs, ending in `/v1`. Absent: `/v1` of the page's own origin.").optional(),
    firebase: FirebaseApp.optional(),
    appCheckSiteKey: text('Of reCAPTCHA Enterprise. Set: requests must carry a token of App Check.').optional(),
    authEmulatorUrl: text('Where the emulator of Firebase Auth is, instead of Firebase itself.').optional(),
    runLinks: flag('False: runs are not shared by links. Absent: they are.').optional(),
  }),
);

/** Settings that the dashboard's page needs before anybody has signed in. All of it is public. */
export type PageConfig = Sent<typeof DashboardConfig>;

export type FirebaseApp = Sent<typeof FirebaseApp>;

export const getDashboardConfig: Described = {
  at: 'GET /dashboard/config.json',
  id: 'getDashboardConfig',
  tag: 'Dashboard',
  access: 'open',
  summary: 'Tell the page how its users sign in, and where programs reach the API',
  reply: DashboardConfig,
};

export function pageConfigRoute(body: PageConfig): OpenRoute {
  return { path: '/dashboard/config.json', handle: async () => ({ body }) };
}
