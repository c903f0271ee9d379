import { PLAIN } from '../support/scripted-models';
import { onLine, print } from '../support/worker-lines';
import { serveInstance } from './serve-instance';

/**
 * One instance of the service on a loopback port: `node worker.js <emulator host> <project> <delay ms>`. It prints its
 * port, and `called` for each call of a model, which answers after the delay.
 */
const [, , host = '', projectId = '', delay = ''] = process.argv;

serveInstance({
  host,
  projectId,
  script: (call) => {
    print('called');
    return { ...PLAIN(call), delayMs: Number(delay) };
  },
});
onLine(() => undefined);
