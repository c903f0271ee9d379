import { runInNode } from '../providers/run-in-node';

/** Jest stands between a suite and its process, so each of these runs in one of its own. */
const SERVER = `
  import { once } from 'node:events';
  import { createServer } from 'node:http';
  import { answerDirectly } from './src/http/direct-requests';
  import { isolateFaults } from './src/http/request-faults';
  import { systemClock } from './src/lib/clock';
  import { createLog } from './src/lib/log';
  import { OpenWork } from './src/lib/open-work';
  const lines: string[] = [];
  const held = Promise.withResolvers<void>();
  const ANSWERS: Record<string, (res) => Promise<void>> = {
    '/waits': async (res) => { await held.promise; res.end('waited'); },
    '/timer': () => new Promise(() => setTimeout(() => { throw new Error('of a timer'); })),
    '/close': async (res) => { res.once('finish', () => { throw new Error('of its end'); }); res.end('whole'); },
    '/stream': (res) => new Promise(() => {
      res.write('begun');
      setImmediate(() => { throw new Error('of a stream'); });
    }),
    '/rejects': async () => { throw new Error('of the app'); },
  };
  const server = createServer(() => { throw new Error('the listener of before is still there'); });
  const log = createLog('error', (line) => lines.push(line));
  const during = isolateFaults({ clock: systemClock, log, process });
  const app = (req, res) => { res.setHeader('x-request-id', 'r'); return ANSWERS[req.url](res); };
  answerDirectly(server, { app, during, openWork: new OpenWork() });
  const sendCrashResponse = (error) => { ended.resolve('ended by: ' + error.message); };
  const ended = Promise.withResolvers<string>();
  // As the framework adds it, once it listens.
  server.listen(0, '127.0.0.1', () => process.on('uncaughtException', (error) => sendCrashResponse(error)));
  const ask = async (path) => {
    const response = await fetch('http://127.0.0.1:' + server.address().port + path);
    return [response.status, await response.text().catch(() => 'cut off')];
  };
`;

test('what throws in a request is a 500 or the end of its own reply, and no other request notices', async () => {
  const report = (await runInNode(`${SERVER}
    (async () => {
      await once(server, 'listening');
      const waiting = ask('/waits');
      const replies = {};
      for (const path of ['/timer', '/stream', '/close', '/rejects']) replies[path] = await ask(path);
      held.resolve();
      console.log(JSON.stringify({ ...replies, waited: await waiting, lines }));
      process.exit(0);
    })();
  `)) as Record<string, unknown>;
  const refused = [500, expect.stringContaining('"type":"api_error"')];
  expect(report).toEqual({
    '/timer': refused,
    '/stream': [200, 'cut off'],
    '/close': [200, 'whole'],
    '/rejects': refused,
    waited: [200, 'waited'],
    lines: ['of a timer', 'of a stream', 'of its end', 'of the app'].map((words) => expect.stringContaining(words)),
  });
});

test('what throws outside all requests is left to the framework, which ends the process', async () => {
  const report = await runInNode(`${SERVER}
    (async () => {
      await once(server, 'listening');
      await ask('/rejects');
      setImmediate(() => { throw new Error('of nobody'); });
      console.log(JSON.stringify(await ended.promise));
      process.exit(0);
    })();
  `);
  expect(report).toBe('ended by: of nobody');
});
