import { demoScript } from '../support/scripted-models';
import { onLine, print } from '../support/worker-lines';
import { patientClock } from './patient-clock';
import { serveInstance } from './serve-instance';

/**
 * One instance of the service on a loopback port: `node worker.js <emulator host> <project> <start ms> [requests a minute]`.
 * It prints its port. Its clock stands still and goes to the moment (in milliseconds) of each line it is sent, which it repeats.
 */
const [, , host = '', projectId = '', start = '', requestsPerMinute = ''] = process.argv;

let nowMs = Number(start);
const clock = { ...patientClock, nowMs: () => nowMs, monotonicMs: () => nowMs };
serveInstance({ host, projectId, script: demoScript, clock, requestsPerMinute });
onLine((line) => {
  nowMs = Number(line);
  print(line);
});
