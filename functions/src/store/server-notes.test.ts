import { readdirSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { join } from 'node:path';
import { during } from '../../test/support/during';
import { temporaryDirectory } from '../../test/support/temporary-directory';
import { leaveNote, runningServers } from './server-notes';

describe('notes of running servers', () => {
  const directory = during('all', temporaryDirectory);
  const servers: Server[] = [];
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

  it('count for nothing when their port is closed, or they are no notes', async () => {
    const port = await listen();
    const closed = createServer();
    await new Promise<void>((resolve) => closed.listen(0, '127.0.0.1', resolve));
    const { port: closedPort } = closed.address() as { port: number };
    await close(closed);
    const note = { pid: process.pid, host: '127.0.0.1', port: closedPort, store: 's' };
    const texts = [JSON.stringify(note), 'no JSON', '{"pid": "1"}', 'null'];
    for (const [index, text] of texts.entries()) writeFileSync(join(folder(), `${index}.json`), text);
    expect((await runningServers(directory.path)).map((server) => server.port)).toEqual([port]);
  });

  it('are none where there is no installation', async () => {
    expect(await runningServers(join(directory.path, 'nowhere'))).toEqual([]);
  });
});
