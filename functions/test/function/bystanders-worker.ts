import { createServer, type RequestOptions, request } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { event } from '../support/fake-upstream';
import { onLine, print } from '../support/worker-lines';

/**
 * Users who only ask small questions, and the model that answers them, in a process of their own so that nothing but the
 * server can keep them waiting. The first line in is `{port, modelPort, keys, body}`; each further one is answered with the replies since the last:
 * `{count, statuses, p50Ms, p95Ms, healthMs}`; the last is the longest that `/health` took.
 */

const USERS_AT_ONCE = 4;
const PAUSE_MS = 100;
const HEALTH_PAUSE_MS = 10;

interface Setup {
  readonly port: number;
  readonly modelPort: number;
  readonly keys: readonly string[];
  readonly body: string;
}

const ANSWER = event({ choices: [{ index: 0, delta: { content: 'They are fruits.' }, finish_reason: 'stop' }] });

let setup: Setup | undefined;
let asked = 0;
let replies: { readonly status: number; readonly ms: number }[] = [];
let healthMs = 0;

onLine((line) => {
  if (setup) return report();
  setup = JSON.parse(line) as Setup;
  createServer((asking, reply) => asking.resume().once('end', () => reply.end(ANSWER))).listen(
    setup.modelPort,
    '127.0.0.1',
  );
  for (let user = 0; user < USERS_AT_ONCE; user += 1) void askForEver(setup);
  void checkForEver(setup);
});

/** Asks for the state of the server, as load balancers do. */
async function checkForEver({ port }: Setup): Promise<never> {
  for (;;) {
    const startedMs = performance.now();
    await send({ port, path: '/health' });
    healthMs = Math.max(healthMs, performance.now() - startedMs);
    await pause(HEALTH_PAUSE_MS);
  }
}

async function askForEver({ port, keys, body }: Setup): Promise<never> {
  for (;;) {
    const startedMs = performance.now();
    asked += 1;
    const status = await ask(port, keys[asked % keys.length] ?? '', body);
    replies.push({ status, ms: performance.now() - startedMs });
    await pause(PAUSE_MS);
  }
}

function ask(port: number, key: string, body: string): Promise<number> {
  const headers = { authorization: `Bearer ${key}`, 'content-length': Buffer.byteLength(body) };
  return send({ port, path: '/v1/chat/completions', method: 'POST', headers }, body);
}

/** The status of the reply once it is complete; 0 for none. */
function send(options: RequestOptions, body = ''): Promise<number> {
  return new Promise((resolve) => {
    request({ host: '127.0.0.1', agent: false, ...options }, (response) => {
      response.resume().once('end', () => resolve(response.statusCode ?? 0));
    })
      .once('error', () => resolve(0))
      .end(body);
  });
}

function report(): void {
  const ascending = replies.map(({ ms }) => ms).sort((a, b) => a - b);
  const statuses = [...new Set(replies.map(({ status }) => status))];
  const quantileMs = (share: number): number | undefined => ascending[Math.floor(ascending.length * share)];
  print(
    JSON.stringify({ count: ascending.length, statuses, p50Ms: quantileMs(0.5), p95Ms: quantileMs(0.95), healthMs }),
  );
  replies = [];
  healthMs = 0;
}
