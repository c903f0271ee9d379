/* The door of Firebase: the app and the scheduled functions as the platform calls them. */
import { onRequest } from 'firebase-functions/https';
import { defineSecret } from 'firebase-functions/params';
import { onSchedule } from 'firebase-functions/scheduler';
import { projectAndLog } from './billing/stripe';
import { readConfig } from './config';
import { keepBodiesFromFramework, keepSignalsFromFramework } from './http/behind-framework';
import { reconcileAndLog } from './ledger/reconcile';
import { sweepExpired } from './ledger/sweep';
import { systemClock } from './lib/clock';
import { lazy } from './lib/lazy';
import { OpenWork } from './lib/open-work';
import { PROTOCOLS } from './providers/provider-table';
import { logOf } from './services';
import { END_SIGNALS, orExit, prepareProcess, startServices } from './start-up';
import { openStripeProjection } from './store/firestore/stripe-projection';
import { openStore } from './store/open-store';

const { FUNCTION_TARGET: target = '', FUNCTIONS_CONTROL_API, GCLOUD_PROJECT = '' } = process.env;
const SECRET_NAMES = [
  ...Object.values(PROTOCOLS).map(({ keyVariable }) => keyVariable),
  ...['ENDPOINT_KEYS', 'KEY_PEPPER', 'ROUTER_KEY_SECRET'],
];
/** The emulators of a `demo-` project would look for each in Secret Manager, in vain; there they come from the environment. */
const SECRETS = GCLOUD_PROJECT.startsWith('demo-') ? [] : SECRET_NAMES.map((name) => defineSecret(name));

const openWork = new OpenWork();
const config = orExit(() => readConfig(process.env));
const { scaling, shared, stripe } = config.deployment;
const services = lazy(() => startServices(config, openWork));
const housekeeping = lazy(() => {
  return { store: openStore(config), clock: systemClock, log: logOf(config), tellsEverySweep: true };
});
const billing = lazy(() => {
  const { project } = openStripeProjection(stripe, { projectId: config.firestore.projectId });
  return { project, log: logOf(config) };
});

// When the platform only asks which functions there are, it has no secrets and no request will come.
if (FUNCTIONS_CONTROL_API !== 'true') orExit(start);

function start(): void {
  // An event is read by the framework: without its body `subscriptions` would refuse every one.
  if (target !== 'subscriptions') keepBodiesFromFramework();
  prepareProcess(config, openWork);
  keepSignalsFromFramework(END_SIGNALS);
  // An instance that cannot work must not start, or a faulty deployment would replace one that does.
  if (target === 'api') services();
}

/** The whole API: one public HTTPS function that routes `/v1/*` itself; callers are known by their bearer key. */
export const api = onRequest(
  {
    timeoutSeconds: 540,
    concurrency: 80,
    invoker: 'public',
    secrets: SECRETS,
    memory: '512MiB',
    ...scaling,
    ...shared,
  },
  (req, res) => services().app(req, res),
);

/** Settles what instances that died left open. Safe beside a settlement that comes late: the store applies one. */
export const sweep = onSchedule(
  { schedule: 'every 2 minutes', timeoutSeconds: 120, memory: '512MiB', maxInstances: 1, ...shared },
  () => openWork.during(async () => void (await sweepExpired(housekeeping()))),
);

/** Checks every month used since the last time against the ledger; every difference is an error in the log. */
export const reconcile = onSchedule(
  {
    schedule: 'every day 03:30',
    timeZone: 'Etc/UTC',
    timeoutSeconds: 1800,
    memory: '512MiB',
    maxInstances: 1,
    ...shared,
  },
  () => openWork.during(() => reconcileAndLog(housekeeping())),
);

/** Keeps `subscriptions/{uid}` in line with the documents of Stripe's extension, where `STRIPE_CUSTOMERS` names them. */
export const subscriptions =
  stripe.customers !== '' && ['', 'subscriptions'].includes(target) ? onSubscriptionWritten() : undefined;

function onSubscriptionWritten() {
  const { onDocumentWritten }: typeof import('firebase-functions/firestore') = require('firebase-functions/firestore');
  const written = onDocumentWritten(
    {
      document: `${stripe.customers}/{userId}/subscriptions/{subscriptionId}`,
      // Whatever came between is made good by the next try: each looks at all documents anew.
      retry: true,
      timeoutSeconds: 60,
      memory: '512MiB',
      maxInstances: 5,
      ...shared,
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
