import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { readConfig } from '../../src/config';
import { createContainer } from '../../src/container';
import { createLog } from '../../src/lib/log';
import { openFirestoreStore } from '../../src/store/firestore/firestore-store';
import { demoScript, scriptedModels } from '../support/scripted-models';
import { onLine, print } from '../support/worker-lines';
import { patientClock } from './patient-clock';

/**
 * One instance of the service on a loopback port: `node worker.js <emulator host> <project> <start ms>`. It prints its
 * port. Its clock stands still and goes to the moment (in milliseconds) of each line it is sent, which it repeats.
 */
const [, , host = '', projectId = '', start = ''] = process.argv;
process.env['FIRESTORE_EMULATOR_HOST'] = host;

let nowMs = Number(start);
const clock = { ...patientClock, nowMs: () => nowMs };
const scripted = scriptedModels(clock, demoScript);
const config = readConfig({
  STORE: 'firestore',
  GCLOUD_PROJECT: projectId,
  KEY_PEPPER: 'test-pepper',
  FIRESTORE_EMULATOR_HOST: host,
});
const { app } = createContainer(config, {
  clock,
  log: createLog('error', (line) => process.stderr.write(`${line}\n`)),
  providers: { scripted },
  store: openFirestoreStore({ projectId, clock }),
});

const server = createServer((req, res) => void app(req, res));
server.listen(0, '127.0.0.1', () => print(String((server.address() as AddressInfo).port)));
onLine((line) => {
  nowMs = Number(line);
  print(line);
});
