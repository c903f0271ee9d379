import { SettingsReader } from '../../lib/settings-reader';
import { dashboardSettings } from './dashboard-settings';

const HOSTED = { isHosted: true, projectId: 'acme-prod' };
const DEMO = { isHosted: true, projectId: 'demo-acme' };
const OWN = { isHosted: false, projectId: 'demo-ensemble' };
const K_SERVICE = 'api';
const EMULATOR = { FIREBASE_AUTH_EMULATOR_HOST: '127.0.0.1:9099' };
const APP = { apiKey: 'k', authDomain: 'acme.example', projectId: 'acme-prod', appId: '1:2:web:3' };
const IN_EMULATOR = {
  ...{ mode: 'firebase', firebase: { apiKey: 'demo', projectId: 'demo-acme' } },
  authEmulatorUrl: 'http://127.0.0.1:9099',
};

/** Settings that can be used; throws where these cannot. */
function settingsOf(env: Record<string, string>, place = HOSTED) {
  const settings = new SettingsReader(env);
  const read = dashboardSettings(settings, place);
  settings.refuseFlaws();
  return read;
}

it.each<[string, Record<string, string>, object, typeof HOSTED]>([
  ['little on a machine of one’s own', {}, { mode: 'embedded' }, OWN],
  ['no Firebase there', { WEB_APP_CONFIG: '{"apiKey": "k"}', APP_CHECK_SITE_KEY: 's' }, { mode: 'embedded' }, OWN],
  ['no emulator there', EMULATOR, { mode: 'embedded' }, { ...OWN, projectId: 'acme-prod' }],
  ['where the emulator is', EMULATOR, IN_EMULATOR, DEMO],
  ['no address in the Functions emulator', { ...EMULATOR, K_SERVICE, FUNCTIONS_EMULATOR: 'true' }, IN_EMULATOR, DEMO],
  [
    'the function’s own address, deployed',
    { K_SERVICE },
    { mode: 'firebase', apiBaseUrl: 'https://us-central1-acme-prod.cloudfunctions.net/api/v1' },
    HOSTED,
  ],
  [
    'the address in its region',
    { K_SERVICE, REGION: 'europe-west1' },
    { mode: 'firebase', apiBaseUrl: 'https://europe-west1-acme-prod.cloudfunctions.net/api/v1' },
    HOSTED,
  ],
  [
    'a base URL of one’s own instead',
    { K_SERVICE, PUBLIC_BASE_URL: 'https://api.acme.example/v1/' },
    { mode: 'firebase', apiBaseUrl: 'https://api.acme.example/v1' },
    HOSTED,
  ],
  [
    'of a Firebase app what signing in needs',
    { WEB_APP_CONFIG: JSON.stringify({ ...APP, storageBucket: 'b', more: 1 }), APP_CHECK_SITE_KEY: 'site' },
    { mode: 'firebase', firebase: APP, appCheckSiteKey: 'site' },
    HOSTED,
  ],
])('the page knows %s', (_, env, page, place) => expect(settingsOf(env, place).page).toEqual(page));

it.each<[Record<string, string>, string]>([
  ...['[]', 'apiKey', '{"authDomain": "a"}', '{"apiKey": ""}', '{"apiKey": "k", "appId": 7}'].map(
    (WEB_APP_CONFIG): [Record<string, string>, string] => [{ WEB_APP_CONFIG }, 'WEB_APP_CONFIG must be the JSON'],
  ),
  [{ WEB_APP_CONFIG: '{"apiKey": "k", "projectId": "other"}' }, 'WEB_APP_CONFIG is of the project other, the service'],
  [{ PUBLIC_BASE_URL: 'api.acme.example/v1' }, 'PUBLIC_BASE_URL must be an http or https URL'],
  [{ PUBLIC_BASE_URL: 'http://api.acme.example/v1' }, 'PUBLIC_BASE_URL must be https'],
  [{ PUBLIC_BASE_URL: 'https://api.acme.example' }, 'PUBLIC_BASE_URL must end in /v1'],
  [{ HOSTING_SITE: 'evil.example/' }, 'HOSTING_SITE must be the name of a site'],
  ...['*', 'app.example', 'https://app.example/', 'null'].map((DASHBOARD_ORIGINS): [Record<string, string>, string] => [
    { DASHBOARD_ORIGINS },
    'DASHBOARD_ORIGINS must be origins',
  ]),
  [EMULATOR, 'FIREBASE_AUTH_EMULATOR_HOST is for projects demo-… alone, not for acme-prod'],
  [{ DASHBOARD_APP_CHECK: 'on' }, 'DASHBOARD_APP_CHECK=on needs APP_CHECK_SITE_KEY'],
])('%j is refused', (env, flaw) => expect(() => settingsOf(env)).toThrow(flaw));

it.each([
  ['on a machine of one’s own', {}, OWN],
  ['without a dashboard', { DASHBOARD: 'off' }, HOSTED],
  ['with a site key', { APP_CHECK_SITE_KEY: 'site' }, HOSTED],
])('App Check needs no more %s', (_, env, place) => {
  expect(() => settingsOf({ DASHBOARD_APP_CHECK: 'on', ...env }, place)).not.toThrow();
});

it.each([
  ['on the site of the project', { K_SERVICE }, 'https://acme-prod.web.app', HOSTED],
  ['on a site of their own', { K_SERVICE, HOSTING_SITE: 'acme-keys' }, 'https://acme-keys.web.app', HOSTED],
  ['nowhere without a dashboard', { K_SERVICE, DASHBOARD: 'off' }, undefined, HOSTED],
  ['nowhere in the emulators', { K_SERVICE, FUNCTIONS_EMULATOR: 'true' }, undefined, HOSTED],
  ['nowhere with an embedded store', { K_SERVICE }, undefined, OWN],
  ['nowhere for an odd project', {}, undefined, { isHosted: true, projectId: 'example.com:acme' }],
])('the pages are %s', (_, env, url, place) => expect(settingsOf(env, place).url).toBe(url));

describe('pages that may use the dashboard from another origin', () => {
  const DASHBOARD_ORIGINS = 'https://app.acme.example:8443';
  const OF_SITE = ['https://acme-prod.web.app', 'https://acme-prod.firebaseapp.com'];
  const OF_KEYS = ['https://acme-keys.web.app', 'https://acme-keys.firebaseapp.com'];

  it.each([
    ['both names of the site', { K_SERVICE }, OF_SITE, HOSTED],
    ['of their own site instead', { K_SERVICE, HOSTING_SITE: 'acme-keys' }, OF_KEYS, HOSTED],
    ['those named, as well', { K_SERVICE, DASHBOARD_ORIGINS }, [...OF_SITE, DASHBOARD_ORIGINS], HOSTED],
    ['none without a dashboard', { K_SERVICE, DASHBOARD: 'off' }, [], HOSTED],
    ['none where nothing is deployed', {}, [], HOSTED],
    ['none with an embedded store', { K_SERVICE }, [], OWN],
  ])('are %s', (_, env, origins, place) => expect(settingsOf(env, place).origins).toEqual(origins));

  it('tell programs where the API is, and those of no deployment do not', () => {
    expect(settingsOf({ K_SERVICE, DASHBOARD_ORIGINS }).hosting).toEqual({
      hosts: ['acme-prod.web.app', 'acme-prod.firebaseapp.com', 'app.acme.example:8443'],
      baseUrl: 'https://us-central1-acme-prod.cloudfunctions.net/api/v1',
    });
    expect(settingsOf({ K_SERVICE, DASHBOARD: 'off' }).hosting).toBeUndefined();
    expect(settingsOf({}).hosting).toBeUndefined();
    expect(settingsOf({ PUBLIC_BASE_URL: 'https://api.acme.example/v1' }, OWN).hosting).toBeUndefined();
  });
});
