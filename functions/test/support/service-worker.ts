import { writeSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createInterface } from 'node:readline';
import { readConfig } from '../../src/config';
import { createContainer } from '../../src/container';
import { systemClock } from '../../src/lib/clock';
import { createLog } from '../../src/lib/log';
import { demoScript } from '../../src/providers/demo-script';
import { createScriptedProvider } from '../../src/providers/scripted';
import { openFirestoreStore } from '../../src/store/firestore/firestore-store';

/**
 * One instance of the service on a loopback port: `node worker.js <emulator host> <project> <start ms>`. It prints its
 * port. Its clock stands still and goes to the moment (in milliseconds) of each line it is sent, which it repeats.
 */
const [, , host = '', projectId = '', start = ''] = process.argv;
process.env['FIRESTORE_EMULATOR_HOST'] = host;

let nowMs = Number(start);
const clock = { ...systemClock, nowMs: () => nowMs };
const scripted = createScriptedProvider({ clock, script: demoScript, pieceDelayMs: 0 });
const config = readConfig({ STORE: 'firestore', GCLOUD_PROJECT: projectId, KEY_PEPPER: 'test-pepper' });
const { app } = createContainer(config, {
  clock,
  log: createLog('error', (line) => process.stderr.write(`${line}\n`)),
  providers: { scripted },
  store: openFirestoreStore({ projectId, clock }),
});

const server = createServer((req, res) => void app(req, res));
server.listen(0, '127.0.0.1', () => print(String((server.address() as AddressInfo).port)));
createInterface({ input: process.stdin })
  .on('line', (line) => {
    nowMs = Number(line);
    print(line);
  })
  .on('close', () => process.exit());

function print(line: string): void {
  writeSync(1, `${line}\n`);
}
