import { limitWarning, storeSettings } from './store-settings';

const firestore = { projectId: 'my-project', emulatorHost: '' };

describe('storeSettings', () => {
  it.each([
    [
      'the embedded store',
      { store: 'embedded', dataDirectory: '/no/where', firestore },
      'STORE=embedded DATA_DIR=/no/where',
    ],
    [
      'a folder that a shell would take apart',
      { store: 'embedded', dataDirectory: "/no/it's here", firestore },
      "STORE=embedded DATA_DIR='/no/it'\\''s here'",
    ],
    [
      'its emulator',
      { store: 'firestore', dataDirectory: '/', firestore: { ...firestore, emulatorHost: '127.0.0.1:8085' } },
      'STORE=firestore GCLOUD_PROJECT=my-project FIRESTORE_EMULATOR_HOST=127.0.0.1:8085',
    ],
  ])('names %s as it is typed', (_, choice, expected) => {
    expect(storeSettings(choice)).toBe(expected);
  });
});

describe('limitWarning', () => {
  it.each([
    ['firestore', 61, expect.stringContaining('RATE_LIMIT_RPM=61 is more than Firestore is made for')],
    ['firestore', 60, ''],
    ['embedded', 1_000, ''],
  ])('of %s with %d requests a minute is %s', (store, requestsPerMinute, expected) => {
    expect(limitWarning({ store, requestsPerMinute })).toEqual(expected);
  });
});
