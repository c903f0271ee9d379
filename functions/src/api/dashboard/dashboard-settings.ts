import * as z from 'zod';
import type { SettingsReader } from '../../lib/settings-reader';
import { baseUrlFlaw } from '../../models/base-url';
import type { FirebaseApp, PageConfig } from './account';

const LOOPBACK_HOST = /^(?:localhost|127(?:\.\d{1,3}){3}|::1)$/;
/** Region of functions that name none. */
const USUAL_REGION = 'us-central1';
const name = z.string().min(1);
const optional = name.optional();
const WEB_APP = z.object({ apiKey: name, authDomain: optional, projectId: optional, appId: optional });

interface Place {
  /** True if users are those of a Firebase project, and not the one of this machine. */
  readonly isHosted: boolean;
  readonly projectId: string;
}

/** The settings of the dashboard: who may use it, from where, and what its page is told. */
export function dashboardSettings(settings: SettingsReader, place: Place) {
  const authEmulator = settings.text('FIREBASE_AUTH_EMULATOR_HOST');
  // Beside the emulator unsigned tokens are taken: anybody would be any user of a real project.
  if (authEmulator !== '' && place.isHosted && !place.projectId.startsWith('demo-')) {
    settings.flaw(`FIREBASE_AUTH_EMULATOR_HOST is for projects demo-… alone, not for ${place.projectId}`);
  }
  const secret = settings.secret('DASHBOARD_SECRET');
  // It stands in an address and in a cookie as it is.
  if (secret !== '' && !/^[\w-]{32,256}$/.test(secret)) {
    settings.flaw('DASHBOARD_SECRET must be 32 to 256 letters, digits, - and _, as `openssl rand -hex 16` prints them');
  }
  const users = usersOf(settings, place, secret);
  const site = siteUrl(settings, place);
  const url = users === 'firebase' ? site : undefined;
  const appCheck = settings.oneOf('DASHBOARD_APP_CHECK', ['on', 'off'], 'off') === 'on';
  // Its own page could get no token: everybody would be shut out, and be told no reason.
  if (appCheck && users === 'firebase' && settings.text('APP_CHECK_SITE_KEY') === '') {
    settings.flaw('DASHBOARD_APP_CHECK=on needs APP_CHECK_SITE_KEY, with which the dashboard gets its tokens');
  }
  // Hosting serves each site under two names.
  const ofSite = url === undefined ? [] : [url, url.replace(/\.web\.app$/, '.firebaseapp.com')];
  const origins = [...ofSite, ...namedOrigins(settings)];
  const page = pageConfig(settings, place, authEmulator);
  const baseUrl = page.apiBaseUrl;
  const hosts = origins.map((origin) => new URL(origin).host);
  return {
    users,
    /** The one with which the dashboard of this machine is opened. */
    secret,
    /** Address of its pages at Firebase Hosting; absent: it has none, or this server has them. */
    ...(url !== undefined && { url }),
    /** True if requests must carry a token of App Check. */
    appCheck,
    /** Pages of other origins that may use the routes: those on Firebase Hosting ask the function itself for streams. */
    origins,
    /** Hosts of those pages, at which programs learn the API's address. */
    ...(users === 'firebase' && baseUrl !== undefined && { hosting: { hosts, baseUrl } }),
    page,
  };
}

/** Users of the dashboard: the one user of this machine, users who are signed in with Firebase, or nobody. */
function usersOf(settings: SettingsReader, { isHosted }: Place, secret: string): 'local' | 'firebase' | 'nobody' {
  const isAsked = settings.text('DASHBOARD') !== '';
  if (settings.oneOf('DASHBOARD', ['on', 'off'], 'on') === 'off') return 'nobody';
  if (isHosted) return 'firebase';
  const host = settings.text('HOST') || '127.0.0.1';
  if (LOOPBACK_HOST.test(host)) return secret === '' ? 'nobody' : 'local';
  if (isAsked) settings.flaw(`DASHBOARD=on needs, with the embedded store, HOST on this machine alone, not ${host}`);
  return 'nobody';
}

/** The site that `npm run deploy` puts the pages on: that of the project, unless another is named. */
function siteUrl(settings: SettingsReader, { projectId }: Place): string | undefined {
  const named = settings.matching('HOSTING_SITE', /^[a-z0-9-]{1,63}$/, 'the name of a site of Firebase Hosting');
  return deployedService(settings) === '' ? undefined : `https://${named || projectId}.web.app`;
}

/** The name of a deployed function. That in the emulator has one too, but neither a site nor an address made of it. */
function deployedService(settings: SettingsReader): string {
  return settings.text('FUNCTIONS_EMULATOR') === '' ? settings.text('K_SERVICE') : '';
}

/** Origins by name: whoever is trusted with an account is not anybody. */
function namedOrigins(settings: SettingsReader): readonly string[] {
  const origins = settings.list('DASHBOARD_ORIGINS');
  const wrong = origins.find((origin) => URL.parse(origin)?.origin !== origin);
  if (wrong === undefined) return origins;
  const rule = 'must be origins such as https://app.example.com, separated by commas';
  settings.flaw(`DASHBOARD_ORIGINS ${rule}, not ${wrong}`);
  return [];
}

function pageConfig(settings: SettingsReader, place: Place, authEmulator: string): PageConfig {
  const named = firebaseApp(settings);
  const siteKey = settings.text('APP_CHECK_SITE_KEY');
  const apiBaseUrl = apiBaseUrlOf(settings, place) || undefined;
  if (!place.isHosted) return { mode: 'embedded', ...(apiBaseUrl && { apiBaseUrl }) };
  if (named?.projectId !== undefined && named.projectId !== place.projectId) {
    settings.flaw(`WEB_APP_CONFIG is of the project ${named.projectId}, the service of ${place.projectId}`);
  }
  // The emulator takes any API key.
  const firebase = named ?? (authEmulator === '' ? undefined : { apiKey: 'demo', projectId: place.projectId });
  return {
    mode: 'firebase',
    ...(apiBaseUrl && { apiBaseUrl }),
    ...(firebase && { firebase }),
    ...(siteKey !== '' && { appCheckSiteKey: siteKey }),
    ...(authEmulator !== '' && { authEmulatorUrl: `http://${authEmulator}` }),
  };
}

/** Address at which programs reach the API. */
function apiBaseUrlOf(settings: SettingsReader, { projectId }: Place): string {
  const url = settings.text('PUBLIC_BASE_URL').replace(/\/+$/, '');
  const flaw = url === '' ? undefined : (baseUrlFlaw(url) ?? (url.endsWith('/v1') ? undefined : 'must end in /v1'));
  if (flaw !== undefined) settings.flaw(`PUBLIC_BASE_URL ${flaw}`);
  const service = deployedService(settings);
  if (url !== '' || service === '') return url;
  return `https://${settings.text('REGION') || USUAL_REGION}-${projectId}.cloudfunctions.net/${service}/v1`;
}

/** Without one that can be used the page could sign nobody in. */
function firebaseApp(settings: SettingsReader): FirebaseApp | undefined {
  const json = settings.text('WEB_APP_CONFIG');
  if (json === '') return undefined;
  try {
    return WEB_APP.parse(JSON.parse(json));
  } catch {
    const rule = 'must be the JSON of a web app of Firebase, with texts such as apiKey and authDomain';
    settings.flaw(`WEB_APP_CONFIG ${rule}`);
    return undefined;
  }
}
