import { defineSecret } from 'firebase-functions/params';
import { stripeSettings } from './billing/stripe-settings';
import { type Environment, SettingsReader } from './lib/settings-reader';
import { PROTOCOLS } from './providers/provider-table';

/**
 * The secrets the function is deployed with. The emulators of a `demo-` project would look for each in Secret Manager,
 * in vain; there they come from the environment. Everything else is plain environment (`functions/.env` and
 * `.env.<project>`, which `firebase deploy` reads): declared params would be asked for one by one.
 */
export const SECRETS = isDemo()
  ? []
  : [
      ...Object.values(PROTOCOLS).map(({ keyVariable }) => defineSecret(keyVariable)),
      ...['ENDPOINT_KEYS', 'KEY_PEPPER', 'ROUTER_KEY_SECRET'].map((name) => defineSecret(name)),
    ];

/** How, as whom and where the functions are deployed. A setting that cannot be used is told at the start, with all others. */
export const {
  scaling: SCALING,
  identity: IDENTITY,
  place: PLACE,
  stripe: STRIPE,
} = readDeployment(new SettingsReader(process.env));

/** Throws a `SettingsError` when the settings that only a deployment reads cannot be used. */
export function checkDeployment(env: Environment): void {
  const settings = new SettingsReader(env);
  readDeployment(settings);
  settings.refuseFlaws();
}

/** Reads the settings of a deployment. */
export function readDeployment(settings: SettingsReader) {
  return {
    /** Of `api`; the upper bound is one on cost too, without it a flood of requests may start a hundred. */
    scaling: {
      minInstances: settings.wholeNumber('MIN_INSTANCES', [0, 9_999], 0),
      maxInstances: settings.wholeNumber('MAX_INSTANCES', [0, 9_999], 20),
    },
    /** Not set, it is the project's default account, which may do far more than the functions need. */
    identity: settings.attempt(() => identityOf(settings.text('SERVICE_ACCOUNT')), {}),
    place: settings.attempt(() => placeOf(settings.text('REGION')), {}),
    /** Where it has no customers, there is no function that follows them. */
    stripe: stripeSettings(settings),
  };
}

function identityOf(account: string): { readonly serviceAccount?: string } {
  if (account === '') return {};
  if (!/^[a-z][a-z0-9-]{4,28}[a-z0-9]@(?:[a-z0-9.-]+\.gserviceaccount\.com)?$/.test(account)) {
    throw new Error(
      'SERVICE_ACCOUNT must be the e-mail address of a service account, or its name with an @ at the end',
    );
  }
  return { serviceAccount: account };
}

/** `npm run deploy` keeps it in `.env.<project>`; not set, Firebase's own default. The addresses of the emulators name that. */
function placeOf(region: string): { readonly region?: string } {
  if (region !== '' && !/^[a-z]+-[a-z]+\d+$/.test(region))
    throw new Error('REGION must be a region such as us-central1');
  return region === '' || isDemo() ? {} : { region };
}

function isDemo(): boolean {
  return process.env['GCLOUD_PROJECT']?.startsWith('demo-') ?? false;
}
