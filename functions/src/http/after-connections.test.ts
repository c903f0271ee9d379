import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import type { Server } from 'node:http';
import { join } from 'node:path';
import { fakeClock } from '../../test/support/fake-clock';
import { serve } from '../../test/support/serve';
import { temporaryDirectory } from '../../test/support/temporary-directory';
import { until } from '../../test/support/until';
import type { Clock } from '../lib/clock';
import { OpenWork } from '../lib/open-work';
import { afterConnections } from './after-connections';
import { answerDirectly } from './direct-requests';

const CLIENTS = 30;

/** Each on a connection of its own sends a whole request; the first `leave` reset theirs. Then a file tells that all did. */
const ASK = `
  const { writeFileSync } = require('node:fs');
  const { connect } = require('node:net');
  const [port, clients, leave, flag] = process.argv.slice(1);
  let sent = 0;
  for (let client = 0; client < clients; client += 1) {
    const socket = connect(port, '127.0.0.1').on('error', () => undefined);
    socket.write('GET / HTTP/1.1\\r\\nHost: x\\r\\n\\r\\n', () => {
      if (client < leave) socket.resetAndDestroy();
      sent += 1;
      if (sent === Number(clients)) writeFileSync(flag, '');
    });
  }
`;

const children: ChildProcess[] = [];
afterEach(() => {
  for (const child of children.splice(0)) child.kill();
});

/** All is there before this process, whose event loop stands meanwhile, takes in the first of them. */
async function askAtOnce(port: number, leave = 0): Promise<void> {
  const { path, remove } = await temporaryDirectory();
  const flag = join(path, 'sent');
  children.push(spawn(process.execPath, ['-e', ASK, String(port), String(CLIENTS), String(leave), flag]));
  const giveUpAtMs = Date.now() + 10_000;
  while (!existsSync(flag) && Date.now() < giveUpAtMs);
  expect(existsSync(flag)).toBe(true);
  void remove();
}

/** How many connections were taken in when each request began. */
async function connectionsAtBegin(clock: Clock): Promise<readonly number[]> {
  let connections = 0;
  const seen: number[] = [];
  const prepare = (server: Server): void => {
    server.on('connection', () => {
      connections += 1;
    });
    const begin = afterConnections(server, clock);
    server.on('request', () => begin(() => seen.push(connections)));
  };
  const { port } = await serve(() => undefined, prepare);
  await askAtOnce(port);
  await until(() => seen.length === CLIENTS);
  return seen;
}

describe('requests on connections that come in at once', () => {
  it('begin when all connections are taken in, in the order in which they came', async () => {
    expect(await connectionsAtBegin(fakeClock())).toEqual(Array.from({ length: CLIENTS }, () => CLIENTS));
  });

  it('wait 20 ms at most', async () => {
    let nowMs = 0;
    const twoMsATurn: Clock = {
      ...fakeClock(),
      nowMs: () => {
        nowMs += 2;
        return nowMs;
      },
    };
    const [first = 0] = await connectionsAtBegin(twoMsATurn);
    // One is taken in a turn; the first request is read in the second turn, and waits for ten.
    expect(first).toBeGreaterThanOrEqual(10);
    expect(first).toBeLessThan(15);
  });

  it('do not begin once their clients have left, and then keep nothing open', async () => {
    const openWork = new OpenWork();
    let connections = 0;
    let begun = 0;
    const { port, server } = await serve(
      () => undefined,
      (before) =>
        answerDirectly(before, {
          app: async (_req, res) => {
            begun += 1;
            res.end();
          },
          during: (_res, work) => void work(),
          openWork,
          clock: fakeClock(),
        }),
    );
    server.on('connection', () => {
      connections += 1;
    });
    await askAtOnce(port, 1);
    await until(() => connections === CLIENTS && openWork.count === 0);
    expect(begun).toBe(CLIENTS - 1);
  });
});
