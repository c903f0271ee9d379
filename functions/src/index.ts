import { onRequest } from 'firebase-functions/https';
import { onSchedule } from 'firebase-functions/scheduler';
import { projectAndLog } from './billing/project-and-log';
import { IDENTITY, PLACE, SCALING, SECRETS, STRIPE } from './deployment';
import { reconcileAndLog, sweepAndLog } from './ledger/housekeeping';
import { billing, container, housekeeping, openWork, startUp } from './start-up';

startUp();

/** The whole API: one public HTTPS function that routes `/v1/*` itself; callers are known by their bearer key. */
export const api = onRequest(
  {
    timeoutSeconds: 540,
    concurrency: 80,
    invoker: 'public',
    secrets: SECRETS,
    memory: '512MiB',
    ...SCALING,
    ...IDENTITY,
    ...PLACE,
  },
  (req, res) => container().app(req, res),
);

/** Settles what instances that died left open. Safe beside a settlement that comes late: the store applies one. */
export const sweep = onSchedule(
  { schedule: 'every 2 minutes', timeoutSeconds: 120, memory: '512MiB', maxInstances: 1, ...IDENTITY, ...PLACE },
  () => openWork.during(() => sweepAndLog(housekeeping())),
);

/** Checks every month used since the last time against the ledger; every difference is an error in the log. */
export const reconcile = onSchedule(
  {
    schedule: 'every day 03:30',
    timeZone: 'Etc/UTC',
    timeoutSeconds: 1800,
    memory: '512MiB',
    maxInstances: 1,
    ...IDENTITY,
    ...PLACE,
  },
  () => openWork.during(() => reconcileAndLog(housekeeping())),
);

/** Keeps `subscriptions/{uid}` in line with the documents of Stripe's extension; only where `STRIPE_CUSTOMERS` names them. */
export const subscriptions = isSubscriptionsWanted() ? onSubscriptionWritten() : undefined;

/** Instances of the other functions do not load what it takes: half a second. */
function isSubscriptionsWanted(): boolean {
  return STRIPE.customers !== '' && ['', 'subscriptions'].includes(process.env['FUNCTION_TARGET'] ?? '');
}

function onSubscriptionWritten() {
  const { onDocumentWritten }: typeof import('firebase-functions/firestore') = require('firebase-functions/firestore');
  const written = onDocumentWritten(
    {
      document: `${STRIPE.customers}/{userId}/subscriptions/{subscriptionId}`,
      // Whatever came between is made good by the next try: each looks at all documents anew.
      retry: true,
      timeoutSeconds: 60,
      memory: '512MiB',
      maxInstances: 5,
      ...IDENTITY,
      ...PLACE,
    },
    ({ params }) => openWork.during(() => projectAndLog(billing(), params.userId)),
  );
  // Only where the document is matters. Its contents are left alone, as the SDK refuses those whose encoding the framework
  // does not tell it: of an event in JSON that is not in the envelope, it does not.
  const withoutContents: typeof written = Object.assign(
    (event: Parameters<typeof written>[0]) => written({ ...event, data: undefined } as unknown as typeof event),
    written,
  );
  return withoutContents;
}
