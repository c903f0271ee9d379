import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { readConfig } from '../../src/config';
import { type Clock, systemClock } from '../../src/lib/clock';
import { createLog } from '../../src/lib/log';
import { createServices } from '../../src/services';
import { openFirestoreStore } from '../../src/store/firestore/firestore-store';
import { type Script, scriptedModels } from '../support/scripted-models';
import { print } from '../support/worker-lines';

interface InstanceOptions {
  /** Address of the Firestore emulator, `host:port`. */
  readonly host: string;
  readonly projectId: string;
  /** Replies of all models. */
  readonly script: Script;
  readonly clock?: Clock;
  /** Requests of a user a minute; default: those of the contract. */
  readonly requestsPerMinute?: string;
}

/** Serves one instance over a Firestore that others share, on a loopback port of its own, which it prints. */
export function serveInstance(options: InstanceOptions): void {
  const { host, projectId, script, clock = systemClock, requestsPerMinute = '' } = options;
  process.env['FIRESTORE_EMULATOR_HOST'] = host;
  const config = readConfig({
    STORE: 'firestore',
    GCLOUD_PROJECT: projectId,
    KEY_PEPPER: 'test-pepper',
    FIRESTORE_EMULATOR_HOST: host,
    RATE_LIMIT_RPM: requestsPerMinute,
  });
  const { app } = createServices(config, {
    clock,
    log: createLog('error', (line) => process.stderr.write(`${line}\n`)),
    providers: { scripted: scriptedModels(clock, script) },
    store: openFirestoreStore({ projectId, clock }),
  });
  const server = createServer((req, res) => void app(req, res));
  server.listen(0, '127.0.0.1', () => print(String((server.address() as AddressInfo).port)));
}
