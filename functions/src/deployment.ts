import { stripeSettings } from './billing/stripe';
import type { SettingsReader } from './lib/settings-reader';

/**
 * Settings of how, as whom and where the functions are deployed: plain environment (`functions/.env` and `.env.<project>`,
 * which `firebase deploy` reads), as declared params would be asked for one by one.
 */
export function readDeployment(settings: SettingsReader) {
  return {
    /** Instances of `api`; the upper bound is one on cost too: without it a flood of requests may start a hundred. */
    scaling: {
      minInstances: settings.wholeNumber('MIN_INSTANCES', [0, 9_999], 0),
      maxInstances: settings.wholeNumber('MAX_INSTANCES', [0, 9_999], 20),
    },
    /** Not set, it is the project's default account, which may do far more than the functions need. */
    identity: settings.attempt(() => identityOf(settings.text('SERVICE_ACCOUNT')), {}),
    place: settings.attempt(() => placeOf(settings), {}),
    /** Stripe's customers; without them no function follows them. */
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
function placeOf(settings: SettingsReader): { readonly region?: string } {
  const region = settings.text('REGION');
  if (region !== '' && !/^[a-z]+-[a-z]+\d+$/.test(region))
    throw new Error('REGION must be a region such as us-central1');
  return region === '' || settings.text('GCLOUD_PROJECT').startsWith('demo-') ? {} : { region };
}
