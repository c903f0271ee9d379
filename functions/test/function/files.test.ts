import { type FakeUpstream, sendStatus, startFakeUpstream } from '../support/fake-upstream';
import { describeWithFirestore } from '../support/firestore-emulator';
import { bombPdf, pdfOf } from '../support/pdf';
import { unsignedToken } from '../support/unsigned-token';
import { keysOf, type RunningServer, startServer } from './servers';

/** Files of playground runs on the real Functions Framework, where they are read in processes of their own. */

const CHAT = {
  model: 'demo-ada',
  messages: [{ role: 'user', content: 'Is a tomato a fruit?' }],
  ai_ensemble: { models: ['demo-ada'] },
};

/** Begins a run with a PDF; the reply comes once the file has been read. */
function begin({ baseUrl }: RunningServer, headers: Record<string, string>, pdf: Buffer): Promise<Response> {
  const attachments = [{ name: 'a.pdf', media_type: 'application/pdf', data: pdf.toString('base64') }];
  const body = JSON.stringify({ ...CHAT, attachments });
  const sent = { 'content-type': 'application/json', ...headers };
  return fetch(`${baseUrl}/dashboard/runs`, { method: 'POST', headers: sent, body });
}

describeWithFirestore('files on Firestore', (emulator) => {
  let auth: FakeUpstream;
  let server: RunningServer;
  let as: (userId: string) => Record<string, string>;

  beforeAll(async () => {
    auth = await startFakeUpstream((exchange) => sendStatus(200, { users: [{ localId: 'ann' }] })(exchange));
    const project = emulator.newProject();
    as = (userId) => ({ authorization: `Bearer ${unsignedToken(project, userId)}` });
    const env = {
      STORE: 'firestore',
      GCLOUD_PROJECT: project,
      KEY_PEPPER: 'pepper',
      FIRESTORE_EMULATOR_HOST: process.env['FIRESTORE_EMULATOR_HOST'] ?? '',
      FIREBASE_AUTH_EMULATOR_HOST: new URL(auth.url).host,
    };
    await keysOf(env, ['bob', 'cay']);
    server = await startServer({ env });
  }, 60_000);
  afterAll(async () => {
    await server.stop();
    await auth.close();
  });

  it('of one user are read while those of another take all of their time', async () => {
    const order: string[] = [];
    const ofAttacker = Array.from({ length: 3 }, async () => {
      const { status } = await begin(server, as('cay'), bombPdf(5));
      order.push(`attacker ${status}`);
    });
    const reply = await begin(server, as('bob'), pdfOf(['The code is 4711.']));
    order.push(`bob ${reply.status}`);
    expect(await reply.text()).toContain('"outcome":"complete"');
    await Promise.all(ofAttacker);
    expect(order[0]).toBe('bob 200');
  });
});
