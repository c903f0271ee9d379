import { Firestore } from '@google-cloud/firestore';
import { describeWithFirestore } from '../support/firestore-emulator';
import { type RunningServer, startServer } from './servers';

const DATABASE = '(default)';
const TYPE = 'google.cloud.firestore.document.v1.written';

/** The function `subscriptions` under the real framework, asked as Eventarc asks it. */
describeWithFirestore('an event of a written subscription', (emulator) => {
  let project: string;
  let firestore: Firestore;
  let server: RunningServer;
  beforeAll(async () => {
    project = emulator.newProject();
    firestore = new Firestore({ projectId: project });
    const host = process.env['FIRESTORE_EMULATOR_HOST'] ?? '';
    const env = { STORE: 'firestore', GCLOUD_PROJECT: project, FIRESTORE_EMULATOR_HOST: host, KEY_PEPPER: 'pepper' };
    const stripe = { STRIPE_CUSTOMERS: 'customers', STRIPE_TIERS: 'price_pro=pro' };
    server = await startServer({
      env: { ...env, ...stripe, FUNCTION_SIGNATURE_TYPE: 'cloudevent' },
      target: 'subscriptions',
    });
  });
  afterAll(async () => {
    await server.stop();
    await firestore.terminate();
  });

  const documentOf = (userId: string): string => `customers/${userId}/subscriptions/sub_1`;
  const attributesOf = (userId: string) => ({
    ...{ specversion: '1.0', id: `event-${userId}`, type: TYPE, time: '2026-01-15T12:00:00Z' },
    source: `//firestore.googleapis.com/projects/${project}/databases/${DATABASE}`,
    subject: `documents/${documentOf(userId)}`,
    ...{ project, database: DATABASE, namespace: DATABASE, location: 'nam5', document: documentOf(userId) },
  });
  const inHeaders = (userId: string, type: string) => ({
    'content-type': type,
    ...Object.fromEntries(Object.entries(attributesOf(userId)).map(([name, value]) => [`ce-${name}`, value])),
  });
  const written = { value: { name: 'n', fields: {} }, oldValue: {} };

  it.each<
    [encoding: string, userId: string, headers: (userId: string) => object, body: (userId: string) => string | Buffer]
  >([
    ['protobuf', 'ann', (id) => inHeaders(id, 'application/protobuf'), () => Buffer.from([10, 2, 18, 0])],
    ['protobuf that is cut off', 'bob', (id) => inHeaders(id, 'application/protobuf'), () => Buffer.from([10, 255, 1])],
    [
      'JSON, its attributes in headers',
      'cyd',
      (id) => inHeaders(id, 'application/json'),
      () => JSON.stringify(written),
    ],
    [
      'JSON in an envelope',
      'dan',
      () => ({ 'content-type': 'application/cloudevents+json' }),
      (id) => JSON.stringify({ ...attributesOf(id), datacontenttype: 'application/json', data: written }),
    ],
  ])('in %s is projected: the document itself is read, not the event', async (_, userId, headers, body) => {
    const created = new Date('2026-01-01T00:00:00Z');
    await firestore.doc(documentOf(userId)).set({ status: 'active', created, items: [{ price: { id: 'price_pro' } }] });
    const init = { method: 'POST', headers: headers(userId) as Record<string, string>, body: body(userId) };
    const { status } = await fetch(server.baseUrl, init);
    expect([status, server.output()]).toEqual([204, expect.not.stringContaining('"severity":"ERROR"')]);
    const projected = await firestore.doc(`subscriptions/${userId}`).get();
    expect(projected.data()).toMatchObject({ tier: 'pro', status: 'active' });
  });

  it('that names no document fails, so that it is sent again, and the process goes on', async () => {
    const headers: Record<string, string> = inHeaders('eve', 'application/json');
    delete headers['ce-document'];
    const init = { method: 'POST', headers, body: JSON.stringify(written) };
    expect((await fetch(server.baseUrl, init)).status).toBe(500);
    expect(server.hasEnded()).toBe(false);
  });
});
