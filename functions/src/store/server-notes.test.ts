import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { join } from 'node:path';
import { temporaryDirectory } from '../../test/support/temporary-directory';
import { leaveNote, runningServers } from './server-notes';

describe('notes of running servers', () => {
  let directory: Awaited<ReturnType<typeof temporaryDirectory>>;
  const servers: Server[] = [];
  beforeAll(async () => {
    directory = await temporaryDirectory();
  });
  afterAll(() => directory.remove());
  afterEach(() => Promise.all(servers.splice(0).map(close)));

  const listen = async (): Promise<number> => {
    const server = createServer();
    servers.push(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as { port: number };
    server.once('close', leaveNote(directory.path, { host: '127.0.0.1', port, store: 'DATA_DIR=/x' }));
    return port;
  };
  const close = (server: Server) => new Promise((resolve) => server.close(resolve));
  const folder = () => join(directory.path, 'node_modules', '.cache', 'ensemble-servers');

  it('are there while a server listens, and gone once it is closed', async () => {
    const port = await listen();
    const { pid } = process;
    expect(await runningServers(directory.path)).toEqual([{ pid, host: '127.0.0.1', port, store: 'DATA_DIR=/x' }]);
    await close(servers[0] as Server);
    expect(await runningServers(directory.path)).toEqual([]);
    expect(readdirSync(folder())).toEqual([]);
  });

  it('count for nothing when their process has ended, their port is closed, or they are no notes', async () => {
    const port = await listen();
    const { pid: ended } = spawnSync(process.execPath, ['--version']);
    const closed = createServer();
    await new Promise<void>((resolve) => closed.listen(0, '127.0.0.1', resolve));
    const { port: closedPort } = closed.address() as { port: number };
    await close(closed);
    const write = (name: string, text: string) => writeFileSync(join(folder(), name), text);
    const note = { pid: process.pid, host: '127.0.0.1', port, store: 's' };
    write('ended.json', JSON.stringify({ ...note, pid: ended }));
    write('closed.json', JSON.stringify({ ...note, port: closedPort }));
    write('text.json', 'no JSON');
    write('other.json', '{"pid": "1"}');
    write('null.json', 'null');
    expect((await runningServers(directory.path)).map(({ store }) => store)).toEqual(['DATA_DIR=/x']);
    // The next server tidies up what is surely of no use.
    await listen();
    expect(['ended.json', 'text.json', 'closed.json'].map((name) => existsSync(join(folder(), name)))).toEqual([
      false,
      false,
      true,
    ]);
  });

  it('are none where there is no installation', async () => {
    expect(await runningServers(join(directory.path, 'nowhere'))).toEqual([]);
  });
});
