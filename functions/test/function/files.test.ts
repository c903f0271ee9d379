import { readConfig } from '../../src/config';
import { createServices } from '../../src/services';
import { DASHBOARD_SECRET } from '../support/app';
import { pageHeaders } from '../support/dashboard';
import { type FakeUpstream, sendStatus, startFakeUpstream } from '../support/fake-upstream';
import { describeWithFirestore } from '../support/firestore-emulator';
import { bombPdf, pdfOf } from '../support/pdf';
import { unsignedToken } from '../support/unsigned-token';
import { type RunningServer, startServer } from './servers';

/** Files of playground runs on the real Functions Framework, where they are read in processes of their own. */

const RUNS_A_MINUTE = 10;
const CHAT = {
  model: 'demo-ada',
  messages: [{ role: 'user', content: 'Is a tomato a fruit?' }],
  ai_ensemble: { models: ['demo-ada'] },
};

/** Begins a run with a PDF; the reply comes once the file has been read. */
function begin({ baseUrl }: RunningServer, headers: Record<string, string>, pdf: Buffer | string): Promise<Response> {
  const attachments = [{ name: 'a.pdf', media_type: 'application/pdf', data: Buffer.from(pdf).toString('base64') }];
  const body = JSON.stringify({ ...CHAT, attachments });
  const sent = { 'content-type': 'application/json', ...headers };
  return fetch(`${baseUrl}/dashboard/runs`, { method: 'POST', headers: sent, body });
}

/** One user begins two runs too many in a minute, each with a file that is refused. */
async function proveSlots(server: RunningServer, headers: Record<string, string>): Promise<void> {
  const runs = Array.from({ length: RUNS_A_MINUTE + 2 }, () => begin(server, headers, '%PDF-1.7 and no more'));
  const replies = await Promise.all(runs);
  const refused = replies.filter(({ status }) => status === 400);
  const tooMany = replies.filter(({ status }) => status === 429);
  expect([refused.length, tooMany.length]).toEqual([RUNS_A_MINUTE, 2]);
  expect(await refused[0]?.text()).toContain('it cannot be read as a PDF');
  expect(Number(tooMany[0]?.headers.get('retry-after'))).toBeGreaterThan(0);
}

describe('files on the embedded store', () => {
  let server: RunningServer;
  beforeAll(async () => {
    server = await startServer({ env: { DASHBOARD_SECRET } });
  });
  afterAll(() => server.stop());

  it(`are read for no more than ${RUNS_A_MINUTE} runs of a user in a minute, refused ones included`, async () => {
    await proveSlots(server, pageHeaders(server));
  });
});

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
    const { store } = createServices(readConfig({ ...env, LOG_LEVEL: 'silent' }));
    for (const userId of ['ann', 'bob', 'cay']) {
      await store.putSubscription({ userId, tier: 'pro', status: 'active', sourceUpdatedAtMs: Date.now() });
    }
    await store.close();
    server = await startServer({ env });
  }, 60_000);
  afterAll(async () => {
    await server.stop();
    await auth.close();
  });

  it(`are read for no more than ${RUNS_A_MINUTE} runs of a user in a minute, refused ones included`, async () => {
    await proveSlots(server, as('ann'));
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
