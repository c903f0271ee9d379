import { type FirebaseApp, type FirebaseOptions, initializeApp } from 'firebase/app';
import {
  type Auth,
  browserLocalPersistence,
  connectAuthEmulator,
  indexedDBLocalPersistence,
  initializeAuth,
} from 'firebase/auth';
import { ApiError } from '../api/api-error';
import type { Schema } from '../api/client';
import { type AppCheck, appCheckOf } from './app-check';
import { allowGoogleScript } from './google-script';

/** The parts of Firebase that the pages use. */
export interface OpenFirebase {
  readonly auth: Auth;
  /** Absent where App Check is not configured. */
  readonly appCheck: AppCheck | undefined;
}

/** Opens Firebase as the server, or Hosting, tells it. The part for Google's window is left out until it is pressed for. */
export async function openFirebase(config: Schema<'DashboardConfig'>): Promise<OpenFirebase> {
  allowGoogleScript();
  const app = initializeApp({ ...(config.firebase ?? (await optionsOfHosting())), authDomain: authDomainOf(config) });
  const appCheck = config.appCheckSiteKey ? await openAppCheck(app, config.appCheckSiteKey) : undefined;
  const auth = initializeAuth(app, { persistence: [indexedDBLocalPersistence, browserLocalPersistence] });
  if (config.authEmulatorUrl) connectAuthEmulator(auth, config.authEmulatorUrl, { disableWarnings: true });
  return { auth, appCheck };
}

/** The page's own address, where Hosting serves the pages of Firebase Auth: so they are no third party's. */
function authDomainOf({ firebase }: Schema<'DashboardConfig'>): string {
  return firebase?.authDomain ?? location.host;
}

async function optionsOfHosting(): Promise<FirebaseOptions> {
  const response = await fetch('/__/firebase/init.json').catch(() => undefined);
  const options = response?.ok ? ((await response.json().catch(() => undefined)) as FirebaseOptions) : undefined;
  if (options?.apiKey) return options;
  throw new ApiError(
    'This deployment does not say which Firebase app it is: its operator must set WEB_APP_CONFIG, or add a web app to the project.',
    { status: response?.status ?? 0, type: 'not_configured' },
  );
}

async function openAppCheck(app: FirebaseApp, siteKey: string): Promise<AppCheck> {
  const { getToken, initializeAppCheck, ReCaptchaEnterpriseProvider } = await import('firebase/app-check');
  const provider = new ReCaptchaEnterpriseProvider(siteKey);
  const check = initializeAppCheck(app, { provider, isTokenAutoRefreshEnabled: true });
  return appCheckOf(async (kind) => (await getToken(check, kind === 'new')).token);
}
