import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { during } from '../support/during';
import { isLongMode } from '../support/long-mode';
import { PROTOCOLS } from '../support/protocols';
import { temporaryDirectory } from '../support/temporary-directory';
import { workerPool } from '../support/worker-pool';

/** Models that never stop writing, behind the service in a process of its own with a heap of 256 MiB. */

const HEAP_MIB = 256;
const PIECE = 'All work and no play makes a model a dull one. '.repeat(1_400);
const [openai] = PROTOCOLS;
const ENDLESS = 'Write for ever.';
const LINE = 'Write one line that never ends.';
/** Nearly as much as a line may have. */
const LINE_PIECES = 63;
const PARTICIPANTS = 16;
/** Calls that a user may make at once; without a bound a third of them would end the process, too. */
const REQUESTS = isLongMode ? 30 : 10;
const LINE_CALLS = REQUESTS * PARTICIPANTS;

const workers = workerPool(join(__dirname, 'soak-worker.ts'), [`--max-old-space-size=${HEAP_MIB}`]);

/** Writes for ever to whoever asks for it, as fast as it is read, and a short answer to everybody else. */
function startProvider(): Promise<Server> {
  const server = createServer(async (request, response) => {
    const question = await text(request);
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    if (!question.includes(ENDLESS) && !question.includes(LINE)) {
      return response.end(openai?.reply('All is well.', 10, 3));
    }
    const pieces = Readable.from(question.includes(LINE) ? oneLine() : forEver());
    pieces.pipe(response, { end: false });
    if (question.includes(LINE)) countLine(pieces);
    response.once('close', () => pieces.destroy());
    return response;
  });
  server.listen(0, '127.0.0.1');
  return once(server, 'listening').then(() => server);
}

/** Nothing more will be sent of any of the lines. */
const { promise: allLinesOver, resolve: noteLinesOver } = Promise.withResolvers<void>();
let linesOver = 0;

function countLine(pieces: Readable): void {
  pieces.once('close', () => {
    linesOver += 1;
    if (linesOver === LINE_CALLS) noteLinesOver();
  });
}

function* forEver(): Generator<string> {
  for (;;) yield openai?.textEvent(PIECE) ?? '';
}

function* oneLine(): Generator<string> {
  yield 'data: "';
  for (let piece = 0; piece < LINE_PIECES; piece += 1) yield PIECE;
}

let provider: Server;
const directory = during('each', temporaryDirectory);

beforeEach(async () => {
  provider = await startProvider();
});
afterEach(async () => {
  provider.closeAllConnections();
  await new Promise((resolve) => provider.close(resolve));
});

async function startService() {
  const worker = workers.start(directory.path, `http://127.0.0.1:${(provider.address() as AddressInfo).port}`, '2');
  await worker.printed(1);
  const { port, keys } = JSON.parse(worker.lines[0] ?? '') as { port: number; keys: [string, string] };
  const ask = async (key: string, content: string, more: object = {}) => {
    const response = await fetch(`http://127.0.0.1:${port}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'gpt-4o', messages: [{ role: 'user', content }], ...more }),
    });
    return { status: response.status, text: await response.text() };
  };
  return { ask, keys };
}

// So many calls are read at a bounded pace until the last of them is cut off.
jest.setTimeout(240_000);

test.each([
  { endless: 'participants', models: 8, requests: 1 },
  { endless: 'participants in all requests that a user may make at once', models: PARTICIPANTS, requests: REQUESTS },
])('regression: $models endless $endless neither end the process nor another user’s request', async (attack) => {
  const { ask, keys } = await startService();
  const [alice, bob] = keys;
  const models = Array<string>(attack.models).fill('gpt-4o');
  const attacks = Array.from({ length: attack.requests }, () => ask(alice, ENDLESS, { ai_ensemble: { models } }));
  const answers: unknown[] = [];
  let over = false;
  const ended = Promise.all(attacks).finally(() => {
    over = true;
  });
  do answers.push(await ask(bob, 'How are you?'));
  while (!over && answers.length < 20);
  for (const { status, text: body } of await ended) {
    expect(status).toBe(500);
    expect(body).toContain('gpt-4o (output too long)');
  }
  for (const answer of answers)
    expect(answer).toMatchObject({ status: 200, text: expect.stringContaining('All is well.') });
});

test(`regression: lines that never end, in ${LINE_CALLS} calls of a user, are counted before they are whole`, async () => {
  const { ask, keys } = await startService();
  const [alice, bob] = keys;
  const models = Array<string>(PARTICIPANTS).fill('gpt-4o');
  // They end with the service: a line that is short enough to be held is waited for.
  for (let request = 0; request < REQUESTS; request += 1)
    void ask(alice, LINE, { ai_ensemble: { models } }).catch(() => {});
  await allLinesOver;
  expect(await ask(bob, 'How are you?')).toMatchObject({ status: 200, text: expect.stringContaining('All is well.') });
});
