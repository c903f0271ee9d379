import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { readConfig } from '../../src/config';
import { systemClock as clock } from '../../src/lib/clock';
import { createLog } from '../../src/lib/log';
import { createServices } from '../../src/services';
import { openFirestoreStore } from '../../src/store/firestore/firestore-store';
import { PLAIN, scriptedModels } from '../support/scripted-models';
import { onLine, print } from '../support/worker-lines';

/**
 * One instance of the service on a loopback port: `node worker.js <emulator host> <project> <delay ms>`. It prints its
 * port, and `called` for each call of a model, which answers after the delay.
 */
const [, , host = '', projectId = '', delay = ''] = process.argv;
process.env['FIRESTORE_EMULATOR_HOST'] = host;

const scripted = scriptedModels(clock, (call) => {
  print('called');
  return { ...PLAIN(call), delayMs: Number(delay) };
});
const settings = { STORE: 'firestore', GCLOUD_PROJECT: projectId, KEY_PEPPER: 'test-pepper' };
const { app } = createServices(readConfig({ ...settings, FIRESTORE_EMULATOR_HOST: host }), {
  log: createLog('error', (line) => process.stderr.write(`${line}\n`)),
  providers: { scripted },
  store: openFirestoreStore({ projectId }),
});
const server = createServer((req, res) => void app(req, res));
server.listen(0, '127.0.0.1', () => print(String((server.address() as AddressInfo).port)));
onLine(() => undefined);
