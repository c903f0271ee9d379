import { SettingsReader } from '../../lib/settings-reader';
import { dashboardSettings } from './dashboard-settings';

const HOSTED = { isHosted: true, projectId: 'acme-prod' };
const OWN = { isHosted: false, projectId: 'demo-ensemble' };

/** What the page is told; throws where the settings cannot be used. */
function pageOf(env: Record<string, string>, place = HOSTED): object {
  const settings = new SettingsReader(env);
  const { page } = dashboardSettings(settings, place);
  settings.refuseFlaws();
  return page;
}

describe('what the page is told', () => {
  it('is little on a machine of one’s own: there nobody signs in', () => {
    expect(pageOf({}, OWN)).toEqual({ mode: 'embedded' });
    expect(pageOf({ WEB_APP_CONFIG: '{"apiKey": "k"}', APP_CHECK_SITE_KEY: 's' }, OWN)).toEqual({ mode: 'embedded' });
  });

  it('is, deployed, the function’s own address, and nothing that Hosting tells it', () => {
    expect(pageOf({ K_SERVICE: 'api' })).toEqual({
      mode: 'firebase',
      apiBaseUrl: 'https://us-central1-acme-prod.cloudfunctions.net/api/v1',
    });
    expect(pageOf({ K_SERVICE: 'api', REGION: 'europe-west1' })).toMatchObject({
      apiBaseUrl: 'https://europe-west1-acme-prod.cloudfunctions.net/api/v1',
    });
  });

  it('is, in the Functions emulator, no address of the API: the page’s own is one', () => {
    const env = { K_SERVICE: 'api', FUNCTIONS_EMULATOR: 'true', FIREBASE_AUTH_EMULATOR_HOST: '127.0.0.1:9099' };
    expect(pageOf(env, { ...HOSTED, projectId: 'demo-acme' })).toEqual({
      mode: 'firebase',
      firebase: { apiKey: 'demo', projectId: 'demo-acme' },
      authEmulatorUrl: 'http://127.0.0.1:9099',
    });
  });

  it('is a base URL of one’s own instead, without a slash at its end', () => {
    expect(pageOf({ K_SERVICE: 'api', PUBLIC_BASE_URL: 'https://api.acme.example/v1/' })).toMatchObject({
      apiBaseUrl: 'https://api.acme.example/v1',
    });
  });

  it('is of a Firebase app what signing in needs, and no more of it', () => {
    const app = { apiKey: 'k', authDomain: 'acme.example', projectId: 'acme-prod', appId: '1:2:web:3' };
    const WEB_APP_CONFIG = JSON.stringify({ ...app, storageBucket: 'b', more: 1 });
    expect(pageOf({ WEB_APP_CONFIG, APP_CHECK_SITE_KEY: 'site' })).toEqual({
      mode: 'firebase',
      firebase: app,
      appCheckSiteKey: 'site',
    });
  });

  it('is, beside the emulator, where that is', () => {
    const place = { isHosted: true, projectId: 'demo-acme' };
    expect(pageOf({ FIREBASE_AUTH_EMULATOR_HOST: '127.0.0.1:9099' }, place)).toEqual({
      mode: 'firebase',
      firebase: { apiKey: 'demo', projectId: 'demo-acme' },
      authEmulatorUrl: 'http://127.0.0.1:9099',
    });
  });

  it.each(['[]', 'apiKey', '{"authDomain": "a"}', '{"apiKey": ""}', '{"apiKey": 7}', '{"apiKey": "k", "appId": 7}'])(
    'is no app of %s',
    (WEB_APP_CONFIG) => expect(() => pageOf({ WEB_APP_CONFIG })).toThrow(/^WEB_APP_CONFIG must be the JSON/),
  );

  it('is no app of another project: its tokens would all be refused', () => {
    const WEB_APP_CONFIG = '{"apiKey": "k", "projectId": "other"}';
    expect(() => pageOf({ WEB_APP_CONFIG })).toThrow(/^WEB_APP_CONFIG is of the project other, .* acme-prod$/);
  });

  it.each([
    ['api.acme.example/v1', 'must be an http or https URL'],
    ['http://api.acme.example/v1', 'must be https'],
    ['https://api.acme.example', 'must end in /v1'],
  ])('is no base URL %s', (PUBLIC_BASE_URL, flaw) => {
    expect(() => pageOf({ PUBLIC_BASE_URL })).toThrow(`PUBLIC_BASE_URL ${flaw}`);
  });
});

describe('where the pages are', () => {
  const urlOf = (env: Record<string, string>, place = HOSTED) => {
    const settings = new SettingsReader(env);
    const { url } = dashboardSettings(settings, place);
    settings.refuseFlaws();
    return url;
  };

  it.each([
    ['deployed: on the site of the project', { K_SERVICE: 'api' }, 'https://acme-prod.web.app'],
    ['on a site of their own', { K_SERVICE: 'api', HOSTING_SITE: 'acme-keys' }, 'https://acme-keys.web.app'],
    ['where there is no dashboard: nowhere', { K_SERVICE: 'api', DASHBOARD: 'off' }, undefined],
    ['in the emulators: not there', { K_SERVICE: 'api', FUNCTIONS_EMULATOR: 'true' }, undefined],
  ])('is, %s', (_, env, url) => expect(urlOf(env)).toBe(url));

  it('is not known with an embedded store, which serves them itself', () => {
    expect(urlOf({ K_SERVICE: 'api' }, OWN)).toBeUndefined();
  });

  it('is not looked at of a project, whose id may be of a form that no site has', () => {
    expect(urlOf({}, { isHosted: true, projectId: 'example.com:acme' })).toBeUndefined();
  });

  it('is no site by another name than those of Hosting', () => {
    expect(() => urlOf({ HOSTING_SITE: 'evil.example/' })).toThrow(/^HOSTING_SITE must be the name of a site/);
  });
});

describe('whose pages may use the dashboard from another origin', () => {
  const originsOf = (env: Record<string, string>, place = HOSTED) =>
    dashboardSettings(new SettingsReader(env), place).origins;
  const DASHBOARD_ORIGINS = 'https://app.acme.example';

  it.each([
    ['both names of the site', {}, ['https://acme-prod.web.app', 'https://acme-prod.firebaseapp.com']],
    [
      'those of a site of their own, and no longer the project’s',
      { HOSTING_SITE: 'acme-keys' },
      ['https://acme-keys.web.app', 'https://acme-keys.firebaseapp.com'],
    ],
    [
      'with a domain of one’s own, that as well',
      { DASHBOARD_ORIGINS },
      ['https://acme-prod.web.app', 'https://acme-prod.firebaseapp.com', DASHBOARD_ORIGINS],
    ],
    ['none where there is no dashboard', { DASHBOARD: 'off' }, []],
  ])('are, deployed, %s', (_, env, origins) => expect(originsOf({ K_SERVICE: 'api', ...env })).toEqual(origins));

  it('are none but those that are named elsewhere', () => {
    expect(originsOf({})).toEqual([]);
    expect(originsOf({ K_SERVICE: 'api' }, OWN)).toEqual([]);
    expect(originsOf({ DASHBOARD_ORIGINS })).toEqual([DASHBOARD_ORIGINS]);
  });
});

describe('where programs are told that the API is elsewhere', () => {
  const hostingOf = (env: Record<string, string>, place = HOSTED) =>
    dashboardSettings(new SettingsReader(env), place).hosting;

  it('is wherever pages of a deployment are', () => {
    expect(hostingOf({ K_SERVICE: 'api', DASHBOARD_ORIGINS: 'https://app.acme.example:8443' })).toEqual({
      hosts: ['acme-prod.web.app', 'acme-prod.firebaseapp.com', 'app.acme.example:8443'],
      baseUrl: 'https://us-central1-acme-prod.cloudfunctions.net/api/v1',
    });
  });

  it.each([
    ['without a dashboard', { K_SERVICE: 'api', DASHBOARD: 'off' }, HOSTED],
    ['where no other address is known', {}, HOSTED],
    ['on a machine of one’s own', { PUBLIC_BASE_URL: 'https://api.acme.example/v1' }, OWN],
  ])('is nowhere %s', (_, env, place) => expect(hostingOf(env, place)).toBeUndefined());
});

describe('the emulator of Firebase Auth', () => {
  const FIREBASE_AUTH_EMULATOR_HOST = '127.0.0.1:9099';

  it('does not sign in users of a real project', () => {
    expect(() => pageOf({ FIREBASE_AUTH_EMULATOR_HOST })).toThrow(
      'FIREBASE_AUTH_EMULATOR_HOST is for projects demo-… alone, not for acme-prod',
    );
  });

  it('does not matter where nobody signs in', () => {
    expect(pageOf({ FIREBASE_AUTH_EMULATOR_HOST }, { ...OWN, projectId: 'acme-prod' })).toEqual({ mode: 'embedded' });
  });
});

describe('App Check', () => {
  const DASHBOARD_APP_CHECK = 'on';
  const REFUSAL = 'DASHBOARD_APP_CHECK=on needs APP_CHECK_SITE_KEY, with which the dashboard gets its tokens';

  it('is not asked for where the page could get no token: nobody could use the dashboard', () => {
    expect(() => pageOf({ DASHBOARD_APP_CHECK })).toThrow(REFUSAL);
    expect(pageOf({ DASHBOARD_APP_CHECK, APP_CHECK_SITE_KEY: 'site' })).toMatchObject({ appCheckSiteKey: 'site' });
  });

  it.each([
    ['on a machine of one’s own', {}, OWN],
    ['without a dashboard', { DASHBOARD: 'off' }, HOSTED],
  ])('does not matter %s', (_, env, place) => {
    expect(() => pageOf({ DASHBOARD_APP_CHECK, ...env }, place)).not.toThrow();
  });
});
